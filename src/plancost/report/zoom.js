// Zoom and pan of a picture, by changing what part of it is shown. A page scrolls on: the wheel
// zooms with Ctrl only, and one finger moves a picture only once it is larger than its frame.
function zoomable(figure) {
  const picture = figure.querySelector("svg");
  const [, , width, height] = picture.getAttribute("viewBox").split(" ").map(Number);
  const MOST = 12;
  const LETTERS = 14;  // the size of texts in the picture
  const LEGIBLE = 11.5;
  const LARGE = 19;
  const view = { x: 0, y: 0, zoom: 1 };
  const pointers = new Map();

  // Texts stay legible on a small screen, and do not fill a large one.
  function fit() {
    const scale = (picture.clientWidth / width) * view.zoom;
    if (!scale) return;
    const size = Math.min(LARGE, Math.max(LEGIBLE, LETTERS * scale));
    picture.style.fontSize = `${size / scale}px`;
  }

  function show() {
    const [wide, high] = [width / view.zoom, height / view.zoom];
    view.x = Math.max(0, Math.min(width - wide, view.x));
    view.y = Math.max(0, Math.min(height - high, view.y));
    picture.setAttribute("viewBox", [view.x, view.y, wide, high].map((n) => n.toFixed(1)).join(" "));
    picture.classList.toggle("zoomed", view.zoom > 1);
    buttons.out.disabled = buttons.all.disabled = view.zoom <= 1;
    buttons.in.disabled = view.zoom >= MOST;
    fit();
  }

  // Zoom so that what is at a point of the frame (0 to 1) stays there.
  function zoom(factor, at = [0.5, 0.5]) {
    const next = Math.max(1, Math.min(MOST, view.zoom * factor));
    view.x += at[0] * (width / view.zoom - width / next);
    view.y += at[1] * (height / view.zoom - height / next);
    view.zoom = next;
    show();
  }

  function move(across, down) {
    view.x -= across * (width / view.zoom);
    view.y -= down * (height / view.zoom);
    show();
  }

  function place(event) {
    const box = picture.getBoundingClientRect();
    return [(event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height];
  }

  const buttons = {};
  const bar = document.createElement("div");
  bar.className = "zoom";
  const all = () => zoom(0);
  const doings = { in: ["+", "Zoom in", () => zoom(1.6)], out: ["\u2212", "Zoom out", () => zoom(1 / 1.6)],
    all: ["Whole map", "Show the whole map", all] };
  for (const [key, [text, label, act]] of Object.entries(doings)) {
    const button = document.createElement("button");
    Object.assign(button, { type: "button", textContent: text, title: label });
    button.setAttribute("aria-label", label);
    button.dataset.zoom = key;
    button.addEventListener("click", act);
    buttons[key] = button;
    bar.append(button);
  }
  picture.before(bar);

  picture.addEventListener("wheel", (event) => {
    if (!event.ctrlKey && !event.metaKey) return;
    event.preventDefault();
    zoom(Math.exp(-Math.max(-240, Math.min(240, event.deltaY)) * 0.005), place(event));
  }, { passive: false });
  picture.addEventListener("dblclick", (event) => zoom(event.shiftKey ? 0.5 : 2, place(event)));
  picture.addEventListener("pointerdown", (event) => {
    if (event.button > 0) return;
    pointers.set(event.pointerId, place(event));
    if (view.zoom > 1 || pointers.size > 1) picture.setPointerCapture(event.pointerId);
  });
  picture.addEventListener("pointermove", (event) => {
    const before = pointers.get(event.pointerId);
    if (!before) return;
    const now = place(event);
    const other = [...pointers].find(([id]) => id !== event.pointerId);
    if (other) {
      const apart = (point) => Math.hypot(point[0] - other[1][0], point[1] - other[1][1]);
      if (apart(before) > 0.02) zoom(apart(now) / apart(before), other[1]);
    } else if (view.zoom > 1) move(now[0] - before[0], now[1] - before[1]);
    pointers.set(event.pointerId, now);
  });
  for (const kind of ["pointerup", "pointercancel"]) {
    picture.addEventListener(kind, (event) => pointers.delete(event.pointerId));
  }
  const keys = { "+": () => zoom(1.5), "=": () => zoom(1.5), "-": () => zoom(1 / 1.5), 0: all,
    ArrowLeft: () => move(0.15, 0), ArrowRight: () => move(-0.15, 0),
    ArrowUp: () => move(0, 0.15), ArrowDown: () => move(0, -0.15) };
  picture.setAttribute("tabindex", "0");
  picture.addEventListener("keydown", (event) => {
    const scrolls = event.key.startsWith("Arrow") && view.zoom <= 1;
    if (event.ctrlKey || event.metaKey || event.altKey || scrolls || !(event.key in keys)) return;
    event.preventDefault();
    keys[event.key]();
  });
  new ResizeObserver(fit).observe(picture);
  show();
}
