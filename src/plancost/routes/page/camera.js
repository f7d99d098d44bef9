// Zoom and pan: mouse, wheel, buttons, keyboard and touch.
const calm = window.matchMedia("(prefers-reduced-motion: reduce)");
const limits = { least: 1e-6, most: 1e6 };
const SLOW_MS = 45;
const LARGE = 4000;
let asked = false;
let slow = 0;
let moving = null;
let still = null;
let animation = null;

// On a wide screen what is chosen stands on the map, on a narrow one below it.
const isWide = () => window.innerWidth > 820;

// While a slow map moves, its last picture is moved instead, and drawn anew when it rests.
const picture = document.createElement("canvas");
let pictureCamera = null;

function drawMoved() {
  const factor = camera.scale / pictureCamera.scale;
  context.setTransform(screen.ratio, 0, 0, screen.ratio, 0, 0);
  context.fillStyle = colours.paper;
  context.fillRect(0, 0, screen.width, screen.height);
  const x = screen.width / 2 + (pictureCamera.x - camera.x) * camera.scale - (screen.width / 2) * factor;
  const y = screen.height / 2 + (pictureCamera.y - camera.y) * camera.scale - (screen.height / 2) * factor;
  context.drawImage(picture, x, y, screen.width * factor, screen.height * factor);
}

function keepPicture() {
  picture.width = canvas.width;
  picture.height = canvas.height;
  picture.getContext("2d").drawImage(canvas, 0, 0);
  pictureCamera = { ...camera };
}

function redraw(rest = true) {
  if (!rest) {
    moving = performance.now();
    clearTimeout(still);
    still = setTimeout(() => { moving = null; redraw(); }, 140);
  }
  if (asked) return;
  asked = true;
  requestAnimationFrame(() => {
    asked = false;
    if (moving !== null && slow > SLOW_MS && pictureCamera) {
      drawMoved();
      return;
    }
    const begun = performance.now();
    draw();
    // Browsers paint after the script has ended: the next frame tells how long it took.
    requestAnimationFrame(() => {
      slow = performance.now() - begun;
      canvas.dataset.milliseconds = slow.toFixed(0);
    });
    if (slow > SLOW_MS) keepPicture();
    else pictureCamera = null;
  });
}

// A camera that shows a box in a part of the screen.
function partCamera(box, padding, most, part) {
  const [width, height] = [Math.max(box[2] - box[0], 1), Math.max(box[3] - box[1], 1)];
  const room = (size) => Math.max(40, size - 2 * Math.min(padding, size / 6));
  const fitting = Math.min(room(part.right - part.left) / width, room(part.bottom - part.top) / height);
  const scale = Math.min(fitting, most);
  return {
    x: (box[0] + box[2]) / 2 - ((part.left + part.right) / 2 - screen.width / 2) / scale,
    y: (box[1] + box[3]) / 2 - ((part.top + part.bottom) / 2 - screen.height / 2) / scale,
    scale,
  };
}

// The box beside the legend or above it, whichever makes it larger.
function boxCamera(box, padding, most = limits.most) {
  const legend = byId("legend");
  const all = { left: 0, top: 0, right: screen.width, bottom: screen.height };
  const above = partCamera(box, padding, most, { ...all, bottom: screen.height - legend.offsetHeight });
  const beside = partCamera(box, padding, most, { ...all, left: legend.offsetLeft + legend.offsetWidth });
  if (isWide() && !byId("chosen").hidden) return beside;
  return beside.scale > above.scale ? beside : above;
}

function setCamera(next) {
  camera.scale = Math.max(limits.least, Math.min(limits.most, next.scale));
  const [beyondX, beyondY] = [0.45 * screen.width, 0.45 * screen.height].map((part) => part / camera.scale);
  camera.x = Math.max(everything[0] - beyondX, Math.min(everything[2] + beyondX, next.x));
  camera.y = Math.max(everything[1] - beyondY, Math.min(everything[3] + beyondY, next.y));
  redraw(false);
}

function fly(target) {
  cancelAnimationFrame(animation);
  if (calm.matches) {
    setCamera(target);
    return;
  }
  const from = { ...camera };
  const begun = performance.now();
  const step = (now) => {
    const t = Math.min(1, Math.max(0, (now - begun) / 380));
    const eased = t * t * (3 - 2 * t);
    const scale = from.scale * (target.scale / from.scale) ** eased;
    // Along the way the point moves as fast as the zoom lets it seem.
    const share = Math.abs(target.scale - from.scale) < 1e-9 * from.scale ? eased
      : (1 / scale - 1 / from.scale) / (1 / target.scale - 1 / from.scale);
    setCamera({ x: from.x + (target.x - from.x) * share, y: from.y + (target.y - from.y) * share, scale });
    if (t < 1) animation = requestAnimationFrame(step);
  };
  animation = requestAnimationFrame(step);
}

const showAll = () => fly(boxCamera(everything, 36));
const showLinks = (some) => fly(boxCamera(boundsOf(some), 90, 160 / typicalLength));

function zoomAt(x, y, factor) {
  cancelAnimationFrame(animation);
  const scale = Math.max(limits.least, Math.min(limits.most, camera.scale * factor));
  const [dx, dy] = [x - screen.width / 2, y - screen.height / 2];
  setCamera({
    x: camera.x + dx / camera.scale - dx / scale,
    y: camera.y + dy / camera.scale - dy / scale,
    scale,
  });
}

function pan(dx, dy) {
  cancelAnimationFrame(animation);
  setCamera({ x: camera.x - dx / camera.scale, y: camera.y - dy / camera.scale, scale: camera.scale });
}

function resize() {
  const before = screen.width;
  screen.width = canvas.clientWidth || 1;
  screen.height = canvas.clientHeight || 1;
  screen.ratio = Math.min(LINKS > LARGE ? 2 : 3, window.devicePixelRatio || 1);
  canvas.width = Math.round(screen.width * screen.ratio);
  canvas.height = Math.round(screen.height * screen.ratio);
  pictureCamera = null;
  const whole = boxCamera(everything, 36, 1e9).scale;
  limits.least = whole * 0.6;
  limits.most = Math.max(whole * 4, 420 / typicalLength);
  if (before === 1) Object.assign(camera, boxCamera(core(), 36));
  redraw();
}

// Fingers and mouse buttons that are down, by their number.
const pointers = new Map();
let travelled = 0;

function place(event) {
  const box = canvas.getBoundingClientRect();
  return { x: event.clientX - box.left, y: event.clientY - box.top };
}

function pickAt(point, within) {
  const x = camera.x + (point.x - screen.width / 2) / camera.scale;
  const y = camera.y + (point.y - screen.height / 2) / camera.scale;
  return linkAt(x, y, within / camera.scale, sideOf(widthOf(1)) / camera.scale, isShown);
}

function moved(event) {
  const point = place(event);
  const known = pointers.get(event.pointerId);
  if (!known) {
    if (event.pointerType !== "touch") hover(pickAt(point, 8), point);
    return;
  }
  const others = [...pointers.entries()].filter(([id]) => id !== event.pointerId);
  if (!others.length) {
    travelled += Math.hypot(point.x - known.x, point.y - known.y);
    if (travelled > 4) {
      pan(point.x - known.x, point.y - known.y);
      canvas.classList.add("dragging");
      hover(null);
    }
  } else {
    travelled = Infinity;
    const [, other] = others[0];
    const before = Math.hypot(known.x - other.x, known.y - other.y);
    const after = Math.hypot(point.x - other.x, point.y - other.y);
    pan((point.x - known.x) / 2, (point.y - known.y) / 2);
    if (before > 8) zoomAt((point.x + other.x) / 2, (point.y + other.y) / 2, after / before);
  }
  pointers.set(event.pointerId, point);
}

canvas.addEventListener("pointerdown", (event) => {
  if (event.button > 0) return;
  cancelAnimationFrame(animation);
  canvas.setPointerCapture(event.pointerId);
  if (!pointers.size) travelled = 0;
  pointers.set(event.pointerId, place(event));
});
canvas.addEventListener("pointermove", moved);
for (const kind of ["pointerup", "pointercancel"]) {
  canvas.addEventListener(kind, (event) => {
    if (!pointers.delete(event.pointerId)) return;
    canvas.classList.remove("dragging");
    if (kind === "pointerup" && travelled <= 4) {
      const found = pickAt(place(event), event.pointerType === "touch" ? 18 : 9);
      if (found !== null) chooseLink(found, false);
      else choose({ trip: null, link: null });
    }
  });
}
canvas.addEventListener("pointerleave", () => hover(null));
canvas.addEventListener("dblclick", (event) => {
  const point = place(event);
  zoomAt(point.x, point.y, event.shiftKey ? 0.5 : 2);
});
canvas.addEventListener("wheel", (event) => {
  event.preventDefault();
  const unit = event.deltaMode === 1 ? 18 : event.deltaMode === 2 ? 400 : 1;
  const point = place(event);
  const turned = Math.max(-240, Math.min(240, event.deltaY * unit));
  zoomAt(point.x, point.y, Math.exp(-turned * (event.ctrlKey ? 0.01 : 0.0022)));
}, { passive: false });

const centred = (factor) => zoomAt(screen.width / 2, screen.height / 2, factor);
const KEYS = {
  "+": () => centred(1.5), "=": () => centred(1.5), "-": () => centred(1 / 1.5), "_": () => centred(1 / 1.5),
  0: showAll, Home: showAll,
  ArrowLeft: () => pan(80, 0), ArrowRight: () => pan(-80, 0),
  ArrowUp: () => pan(0, 80), ArrowDown: () => pan(0, -80),
  Escape: () => choose({ trip: null, link: null }),
};
canvas.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in KEYS)) return;
  event.preventDefault();
  KEYS[event.key]();
});
byId("zoom-in").addEventListener("click", () => centred(1.6));
byId("zoom-out").addEventListener("click", () => centred(1 / 1.6));
byId("zoom-all").addEventListener("click", showAll);
