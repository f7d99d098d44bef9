// Drawing: the links by class and width, then what is chosen on top of them.
const canvas = byId("canvas");
const context = canvas.getContext("2d", { alpha: false });
const camera = { x: 0, y: 0, scale: 1 };
const screen = { width: 1, height: 1, ratio: 1 };
const layers = { free: false, driven: false };
let chosen = { trip: null, link: null, parts: [] };
let hovered = null;
let colours = {};

function readColours() {
  const style = getComputedStyle(document.documentElement);
  const get = (name) => style.getPropertyValue(`--${name}`).trim();
  const kind = document.body.dataset.scale;
  colours = { classes: [0, 1, 2, 3, 4, 5, 6].map((n) => get(`${kind}-${n}`)) };
  for (const name of ["paper", "ink", "trip", "other", "free", "mark", "soft"]) colours[name] = get(name);
}

// Links with the same class and about as many trips are one stroke. Wide ones come last.
const WIDTHS = 12;
const mostUses = Math.max(1, ...links.uses);
const widthClass = (uses) => (uses ? 1 + Math.round((WIDTHS - 2) * Math.sqrt(uses / mostUses)) : 0);
const buckets = [];
for (let w = 0; w < WIDTHS; w += 1) for (let c = 0; c < 7; c += 1) buckets.push([]);
for (let i = 0; i < LINKS; i += 1) buckets[7 * widthClass(links.uses[i]) + Number(links.class[i])].push(i);

const zoomed = () => Math.max(0.55, Math.min(1.9, Math.sqrt((typicalLength * camera.scale) / 16)));
const widthOf = (w) => (w === 0 ? 0.75 : 0.95 + (4.4 * w) / (WIDTHS - 1)) * zoomed();
const sideOf = (width) => Math.min(width / 2 + 0.5 * Math.max(1, zoomed()), typicalLength * camera.scale * 0.14);

function trace(i, side, joined) {
  const shift = twoWay[i] ? side / camera.scale : 0;
  const dx = screen.width / 2 - camera.x * camera.scale;
  const dy = screen.height / 2 - camera.y * camera.scale;
  for (let p = first[i]; p < first[i + 1]; p += 1) {
    const x = (PX[p] + NX[p] * shift) * camera.scale + dx;
    const y = (PY[p] + NY[p] * shift) * camera.scale + dy;
    if (p === first[i] && !joined) context.moveTo(x, y);
    else context.lineTo(x, y);
  }
}

function stroke(colour, width, dashes = []) {
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.setLineDash(dashes);
  context.stroke();
  context.setLineDash([]);
}

// The part of the map that is on the screen, with a margin.
function visibleBox(margin = 20) {
  const [w, h] = [(screen.width / 2 + margin) / camera.scale, (screen.height / 2 + margin) / camera.scale];
  return [camera.x - w, camera.y - h, camera.x + w, camera.y + h];
}

function isVisible(i, box) {
  const b = 4 * i;
  return boxes[b] <= box[2] && boxes[b + 2] >= box[0] && boxes[b + 1] <= box[3] && boxes[b + 3] >= box[1];
}

const isShown = (i) => !layers.driven || links.uses[i] > 0;

function drawLinks(box) {
  let drawn = 0;
  for (let b = 0; b < buckets.length; b += 1) {
    const w = Math.floor(b / 7);
    if (!buckets[b].length || (layers.driven && w === 0)) continue;
    const width = widthOf(w);
    const side = sideOf(width);
    // Round ends are seen on wide lines only, and take long to draw.
    context.lineCap = width < 2.5 ? "butt" : "round";
    context.lineJoin = width < 2.5 ? "bevel" : "round";
    context.beginPath();
    let some = false;
    for (const i of buckets[b]) {
      if (!isVisible(i, box) || (layers.free && isFree(i))) continue;
      trace(i, side, false);
      some = true;
      drawn += 1;
    }
    if (some) stroke(colours.classes[b % 7], width);
  }
  return drawn;
}

function drawFree(box) {
  context.fillStyle = colours.paper;
  context.globalAlpha = 0.55;
  context.fillRect(0, 0, screen.width, screen.height);
  context.globalAlpha = 1;
  const width = 1.1 * Math.max(1, zoomed());
  context.lineCap = "butt";
  context.beginPath();
  for (let i = 0; i < LINKS; i += 1) {
    if (isFree(i) && isShown(i) && isVisible(i, box)) trace(i, sideOf(width), false);
  }
  stroke(colours.free, width, typicalLength * camera.scale > 24 ? [4, 3] : []);
}

function traceRoute(route, side) {
  context.lineJoin = "round";
  context.beginPath();
  let last = null;
  for (const i of route) {
    trace(i, side, last !== null && links.to[last] === links.from[i]);
    last = i;
  }
}

const onScreen = (place) => [
  (places.x[place] - camera.x) * camera.scale + screen.width / 2,
  (places.y[place] - camera.y) * camera.scale + screen.height / 2,
];

function dot(place, radius, fill, line) {
  context.beginPath();
  context.arc(...onScreen(place), radius, 0, 2 * Math.PI);
  context.fillStyle = fill;
  context.fill();
  stroke(line, 2.5);
}

function dim() {
  context.fillStyle = colours.paper;
  context.globalAlpha = 0.66;
  context.fillRect(0, 0, screen.width, screen.height);
  context.globalAlpha = 1;
}

function drawTrip(trip) {
  const route = trips.links[trip];
  if (!route.length) return;
  const width = Math.max(4, 3.4 * zoomed());
  const side = sideOf(width * 0.8);
  context.lineCap = "round";
  traceRoute(route, side);
  stroke(colours.paper, width + 4);
  for (const part of chosen.parts) {
    traceRoute(part.other, side);
    stroke(colours.paper, width + 4);
  }
  traceRoute(route, side);
  stroke(colours.trip, width);
  context.lineCap = "butt";
  for (const part of chosen.parts) {
    traceRoute(part.other, side);
    stroke(colours.other, width, [2.4 * width, 1.2 * width]);
  }
  for (const part of chosen.parts) {
    for (const place of [part.start, part.last]) dot(place, Math.max(3.5, width * 0.8), colours.paper, colours.ink);
  }
  dot(links.from[route[0]], Math.max(6, width * 1.3), colours.trip, colours.paper);
  const last = links.to[route[route.length - 1]];
  dot(last, Math.max(7, width * 1.5), colours.paper, colours.trip);
  dot(last, Math.max(3, width * 0.6), colours.trip, colours.trip);
}

function drawMarked(i, colour) {
  const width = Math.max(5, widthOf(widthClass(links.uses[i])) + 2);
  context.lineCap = "round";
  context.beginPath();
  trace(i, sideOf(widthOf(widthClass(links.uses[i]))), false);
  stroke(colours.paper, width + 4);
  stroke(colour, width);
}

// Arrows in the direction of links, once they are long enough to have room for one.
function drawArrows(box) {
  if (typicalLength * camera.scale < 72) return;
  context.beginPath();
  for (let i = 0; i < LINKS; i += 1) {
    if (!isVisible(i, box) || !isShown(i)) continue;
    const p = (first[i] + first[i + 1]) >> 1;
    const dx = (PX[p] - PX[p - 1]) * camera.scale;
    const dy = (PY[p] - PY[p - 1]) * camera.scale;
    const length = Math.hypot(dx, dy);
    if (length < 30) continue;
    const shift = twoWay[i] ? sideOf(widthOf(widthClass(links.uses[i]))) / camera.scale : 0;
    const x = (0.64 * PX[p] + 0.36 * PX[p - 1] + NX[p] * shift - camera.x) * camera.scale + screen.width / 2;
    const y = (0.64 * PY[p] + 0.36 * PY[p - 1] + NY[p] * shift - camera.y) * camera.scale + screen.height / 2;
    const [ux, uy] = [(dx / length) * 2.6, (dy / length) * 2.6];
    context.moveTo(x - ux - uy, y - uy + ux);
    context.lineTo(x + ux, y + uy);
    context.lineTo(x - ux + uy, y - uy - ux);
  }
  stroke(colours.ink, 1);
}

function label(text, x, y) {
  context.lineJoin = "round";
  context.strokeStyle = colours.paper;
  context.lineWidth = 4;
  context.strokeText(text, x, y);
  context.fillText(text, x, y);
}

// Names of places, where no other name stands.
function drawNames(box) {
  if (typicalLength * camera.scale < 90) return;
  context.font = "12px system-ui, sans-serif";
  context.textAlign = "center";
  context.textBaseline = "bottom";
  context.fillStyle = colours.soft;
  const taken = new Set();
  for (let n = 0; n < places.names.length; n += 1) {
    if (places.x[n] < box[0] || places.x[n] > box[2] || places.y[n] < box[1] || places.y[n] > box[3]) continue;
    const [x, y] = onScreen(n);
    const text = places.names[n].length > 24 ? `${places.names[n].slice(0, 23)}\u2026` : places.names[n];
    const reach = Math.ceil((text.length * 7) / 48);
    const spots = [];
    for (let c = -reach; c <= reach; c += 1) spots.push(`${Math.round(x / 24) + c},${Math.round(y / 18)}`);
    if (spots.some((spot) => taken.has(spot))) continue;
    spots.forEach((spot) => taken.add(spot));
    label(text, x, y - 8);
  }
}

function draw() {
  context.setTransform(screen.ratio, 0, 0, screen.ratio, 0, 0);
  context.fillStyle = colours.paper;
  context.fillRect(0, 0, screen.width, screen.height);
  const box = visibleBox();
  const drawn = drawLinks(box);
  if (layers.free) drawFree(box);
  drawArrows(box);
  if (chosen.trip !== null) {
    dim();
    drawTrip(chosen.trip);
  }
  if (chosen.link !== null) drawMarked(chosen.link, colours.mark);
  if (hovered !== null && hovered !== chosen.link) drawMarked(hovered, colours.ink);
  drawNames(box);
  Object.assign(canvas.dataset, { drawn, scale: camera.scale.toPrecision(6) });
}
