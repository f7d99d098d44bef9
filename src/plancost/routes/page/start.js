// What is chosen, and the first picture.
const tip = byId("tip");

function hover(link, point) {
  if (link !== hovered) {
    hovered = link;
    redraw();
  }
  canvas.classList.toggle("over", link !== null);
  tip.hidden = link === null;
  if (link === null) return;
  const changed = links.initial === null ? "" : `, \u00d7\u2009${number(Number(ratioOf(link).toPrecision(3)))}`;
  tip.textContent = `${links.names[link]}: cost ${costText(links.cost[link])}${changed}, ${counted(links.uses[link], "trip")}`;
  tip.style.left = `${Math.max(4, Math.min(point.x + 14, screen.width - tip.offsetWidth - 4))}px`;
  tip.style.top = `${point.y > screen.height - 60 ? point.y - 38 : point.y + 16}px`;
}

// On a narrow screen the map is above the lists: bring it into view.
function reveal(some) {
  if (byId("map").getBoundingClientRect().top < -40) byId("map").scrollIntoView({ block: "start" });
  if (some.length) showLinks(some);
}

function choose(next) {
  chosen = { trip: next.trip, link: next.link, parts: next.trip === null ? [] : partsOf(next.trip) };
  hovered = null;
  tip.hidden = true;
  const panel = byId("chosen");
  const content = byId("chosen-content");
  const none = next.trip === null && next.link === null;
  panel.hidden = none;
  content.replaceChildren();
  let hash = " ";
  if (next.trip !== null) {
    byId("chosen-title").textContent = `Trip ${trips.names[next.trip]}`;
    const verdict = verdictOf(next.trip);
    content.append(make("p", { class: `verdict-${verdict} big`, text: VERDICTS[verdict] }), ...tripWords(next.trip));
    hash = `#trip-${next.trip + 1}`;
  } else if (next.link !== null) {
    byId("chosen-title").textContent = `Link ${links.names[next.link]}`;
    content.append(...linkWords(next.link));
    hash = `#link-${next.link + 1}`;
  }
  panel.scrollTop = 0;
  history.replaceState(null, "", hash === " " ? window.location.pathname : hash);
  redraw();
}

function chooseTrip(trip) {
  choose({ trip, link: null });
  reveal([...trips.links[trip], ...chosen.parts.flatMap((part) => part.other)]);
}

function chooseLink(link, moves) {
  choose({ trip: null, link });
  if (moves) reveal([link]);
}

byId("chosen-close").addEventListener("click", () => { choose({ trip: null, link: null }); canvas.focus({ preventScroll: true }); });
byId("chosen-show").addEventListener("click", () => {
  reveal(chosen.trip === null ? [chosen.link] : [...trips.links[chosen.trip], ...chosen.parts.flatMap((part) => part.other)]);
});
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && !(event.target instanceof HTMLInputElement)) choose({ trip: null, link: null });
});

const tabs = [...document.querySelectorAll("[role=tab]")];
function showTab(tab, focus) {
  for (const one of tabs) {
    const is = one === tab;
    one.setAttribute("aria-selected", is);
    one.tabIndex = is ? 0 : -1;
    byId(one.getAttribute("aria-controls")).hidden = !is;
  }
  if (focus) tab.focus();
}
tabs.forEach((tab, n) => {
  tab.addEventListener("click", () => showTab(tab, false));
  tab.addEventListener("keydown", (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step) showTab(tabs[(n + step + tabs.length) % tabs.length], true);
  });
});

for (const [id, layer] of [["layer-free", "free"], ["layer-driven", "driven"]]) {
  const box = byId(id);
  if (!box) continue;
  layers[layer] = box.checked;
  box.addEventListener("change", () => { layers[layer] = box.checked; redraw(); });
}

const dark = window.matchMedia("(prefers-color-scheme: dark)");
dark.addEventListener("change", () => { readColours(); redraw(); });
readColours();
list("trip", TRIPS, tripColumns, tripMatches, { key: "excess", down: true });
list("link", LINKS, linkColumns, linkMatches, { key: links.initial === null ? "uses" : "ratio", down: true });
if (!isWide()) byId("legend").open = false;
resize();
new ResizeObserver(resize).observe(canvas);
const linked = /^#(trip|link)-(\d+)$/.exec(window.location.hash);
if (linked && Number(linked[2]) >= 1 && Number(linked[2]) <= (linked[1] === "trip" ? TRIPS : LINKS)) {
  if (linked[1] === "trip") chooseTrip(Number(linked[2]) - 1);
  else chooseLink(Number(linked[2]) - 1, true);
}
