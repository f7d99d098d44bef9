// The data of the page: links as polylines, which links lie near a point, numbers as text.
const data = JSON.parse(document.getElementById("data").textContent);
const { places, links, trips } = data;
const LINKS = links.names.length;
const TRIPS = trips.names.length;

const byId = (id) => document.getElementById(id);
const number = (n) => n.toLocaleString("en", { maximumFractionDigits: 4 });
const short = (n) => number(Number(n.toPrecision(4)));
const unit = data.unit;
// A cost as people know it: in minutes, if that is what initial costs were.
const costText = (n) => (unit === null ? number(n) : `${short(n / unit[1])}\u00a0${unit[0]}`);
const plainCost = (n) => (unit === null ? number(n) : short(n / unit[1]));
const counted = (n, word) => `${number(n)} ${word}${n === 1 ? "" : "s"}`;
const percent = (part) => `${number(Number((100 * part).toPrecision(part < 0.1 ? 2 : 3)))}\u00a0%`;

// Points of all links, one after the other; those of link i begin at first[i].
const first = new Uint32Array(LINKS + 1);
let PX, PY, NX, NY;

function readShapes() {
  const bends = new Map();
  for (let n = 0; n < links.bends.length; n += 2) bends.set(links.bends[n], links.bends[n + 1]);
  const cellsOf = (link) => {
    const own = bends.get(link);
    if (own === undefined) return [];
    if (typeof own === "number") return cellsOf(own).reverse();
    const cells = [];
    let [x, y] = [0, 0];
    for (let n = 0; n < own.length; n += 2) {
      x += own[n];
      y += own[n + 1];
      cells.push([x, y]);
    }
    return cells;
  };
  const xs = [];
  const ys = [];
  for (let i = 0; i < LINKS; i += 1) {
    first[i] = xs.length;
    xs.push(places.x[links.from[i]]);
    ys.push(places.y[links.from[i]]);
    for (const [x, y] of cellsOf(i)) { xs.push(x); ys.push(y); }
    xs.push(places.x[links.to[i]]);
    ys.push(places.y[links.to[i]]);
  }
  first[LINKS] = xs.length;
  PX = Float64Array.from(xs);
  PY = Float64Array.from(ys);
}

// The side of each point that lies to the right of the way (y grows downwards).
function findSides() {
  NX = new Float32Array(PX.length);
  NY = new Float32Array(PX.length);
  for (let i = 0; i < LINKS; i += 1) {
    for (let p = first[i]; p < first[i + 1]; p += 1) {
      const a = Math.max(first[i], p - 1);
      const b = Math.min(first[i + 1] - 1, p + 1);
      const length = Math.hypot(PX[b] - PX[a], PY[b] - PY[a]) || 1;
      NX[p] = -(PY[b] - PY[a]) / length;
      NY[p] = (PX[b] - PX[a]) / length;
    }
  }
}

readShapes();
findSides();

// Links that are also there the other way are drawn on the right of the middle.
const twoWay = new Uint8Array(LINKS);
const key = (from, to) => from * places.names.length + to;
const ends = new Set(links.from.map((from, i) => key(from, links.to[i])));
for (let i = 0; i < LINKS; i += 1) twoWay[i] = ends.has(key(links.to[i], links.from[i])) ? 1 : 0;

function boundsOf(chosen) {
  const box = [Infinity, Infinity, -Infinity, -Infinity];
  for (const i of chosen) {
    for (let p = first[i]; p < first[i + 1]; p += 1) {
      box[0] = Math.min(box[0], PX[p]);
      box[1] = Math.min(box[1], PY[p]);
      box[2] = Math.max(box[2], PX[p]);
      box[3] = Math.max(box[3], PY[p]);
    }
  }
  return box;
}

const boxes = new Float64Array(4 * LINKS);
for (let i = 0; i < LINKS; i += 1) boxes.set(boundsOf([i]), 4 * i);
const everything = boundsOf(Array(LINKS).keys());

// Most of the network without its outermost places, to begin with.
function core() {
  const part = (values, share) => values[Math.floor(share * (values.length - 1))];
  const used = [];
  for (let i = 0; i < LINKS; i += 1) if (links.uses[i]) used.push(i);
  const some = used.length ? used : [...Array(LINKS).keys()];
  const xs = some.map((i) => PX[first[i]]).sort((a, b) => a - b);
  const ys = some.map((i) => PY[first[i]]).sort((a, b) => a - b);
  const box = [part(xs, 0.01), part(ys, 0.01), part(xs, 0.99), part(ys, 0.99)];
  const whole = Math.max(everything[2] - everything[0], everything[3] - everything[1]);
  const inner = Math.max(box[2] - box[0], box[3] - box[1]);
  return inner < 0.6 * whole && inner > 0 ? box : everything;
}

const typicalLength = (() => {
  const lengths = [];
  for (let i = 0; i < LINKS; i += 1) {
    let sum = 0;
    for (let p = first[i] + 1; p < first[i + 1]; p += 1) {
      sum += Math.hypot(PX[p] - PX[p - 1], PY[p] - PY[p - 1]);
    }
    lengths.push(sum);
  }
  lengths.sort((a, b) => a - b);
  return lengths[LINKS >> 1] || 1;
})();

// A grid of cells with the links that pass through them.
const cellSize = Math.max(1, Math.max(everything[2] - everything[0], everything[3] - everything[1])
  / Math.max(4, Math.sqrt(LINKS)));
const across = Math.floor((everything[2] - everything[0]) / cellSize) + 1;
const cells = new Map();
const column = (x) => Math.floor((x - everything[0]) / cellSize);
const row = (y) => Math.floor((y - everything[1]) / cellSize);

for (let i = 0; i < LINKS; i += 1) {
  for (let p = first[i] + 1; p < first[i + 1]; p += 1) {
    const left = column(Math.min(PX[p], PX[p - 1]));
    const right = column(Math.max(PX[p], PX[p - 1]));
    const bottom = row(Math.max(PY[p], PY[p - 1]));
    for (let y = row(Math.min(PY[p], PY[p - 1])); y <= bottom; y += 1) {
      for (let x = left; x <= right; x += 1) {
        const cell = y * across + x;
        if (!cells.has(cell)) cells.set(cell, []);
        const members = cells.get(cell);
        if (members[members.length - 1] !== i) members.push(i);
      }
    }
  }
}

function distanceTo(i, x, y, shift) {
  let best = Infinity;
  for (let p = first[i] + 1; p < first[i + 1]; p += 1) {
    const ax = PX[p - 1] + NX[p - 1] * shift;
    const ay = PY[p - 1] + NY[p - 1] * shift;
    const dx = PX[p] + NX[p] * shift - ax;
    const dy = PY[p] + NY[p] * shift - ay;
    const at = Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)));
    best = Math.min(best, Math.hypot(x - ax - at * dx, y - ay - at * dy));
  }
  return best;
}

// The link nearest to a point of the map, within a distance; null if there is none.
function linkAt(x, y, within, shift, shown) {
  let [best, nearest] = [within, null];
  const seen = new Set();
  for (let r = row(y - within); r <= row(y + within); r += 1) {
    for (let c = column(x - within); c <= column(x + within); c += 1) {
      if (c < 0 || c >= across) continue;
      for (const i of cells.get(r * across + c) || []) {
        if (seen.has(i) || !shown(i)) continue;
        seen.add(i);
        const away = distanceTo(i, x, y, twoWay[i] ? shift : 0);
        if (away < best) [best, nearest] = [away, i];
      }
    }
  }
  return nearest;
}

const isFree = (i) => links.least !== null && links.least[i] === 1;
const ratioOf = (i) => links.cost[i] / Math.max(1, links.initial[i]);

// The parts in which a trip and its alternative differ, with their costs.
function partsOf(trip) {
  if (trips.other[trip] === null) return [];
  const sum = (chosen) => chosen.reduce((total, i) => total + links.cost[i], 0);
  const own = trips.links[trip];
  return trips.other[trip][1].map(([from, to, other]) => {
    const driven = own.slice(from, to);
    const start = driven.length ? links.from[driven[0]] : links.from[other[0]];
    const last = driven.length ? links.to[driven[driven.length - 1]] : links.to[other[other.length - 1]];
    return { driven, other, start, last, cost: sum(driven), otherCost: sum(other) };
  });
}

function tripsOver(link) {
  const found = [];
  for (let t = 0; t < TRIPS; t += 1) if (trips.links[t].includes(link)) found.push(t);
  return found;
}
