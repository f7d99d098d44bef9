"use strict";
// Names are the user's: they get into the page by textContent only.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const { actions, map } = data;
  let part = data.parts[0];
  let plans = part.plans;
  let chosen = { plan: null, way: null };

  const byId = (id) => document.getElementById(id);
  const number = (n) => n.toLocaleString("en", { maximumFractionDigits: 2 });
  const counted = (n, word) => `${number(n)} ${word}${n === 1 ? "" : "s"}`;

  function make(tag, settings = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(settings)) {
      if (name === "text") element.textContent = value;
      else if (name === "click") element.addEventListener("click", value);
      else element.setAttribute(name, value);
    }
    element.append(...children);
    return element;
  }

  // Plans and their ways on the map

  const isStep = (way) => way >= 0;
  const onMap = (steps) => steps.map((action) => map.way[action]).filter(isStep);
  const routeOf = (n) => (plans.routes ? plans.routes[n] : onMap(plans.steps[n]));
  const otherRoute = (n) => (plans.others[n] ? plans.others[n].route || onMap(plans.others[n].steps) : []);
  const excess = (n) => (plans.best[n] ? plans.costs[n] / plans.best[n] - 1 : 0);
  const isTied = (n) => plans.verdicts[n] === "0" && plans.costs[n] === plans.best[n];
  const verdict = (n) => (isTied(n) ? "tied" : ["no", "yes", "?"][plans.verdicts[n]]);

  function sentence(n) {
    const [cost, best, other] = [plans.costs[n], plans.best[n], plans.others[n]];
    if (best === null) return `It costs ${number(cost)}; whether that is the least is not known.`;
    if (cost > best) {
      return `It costs ${number(cost)}, ${number(cost - best)} more than the cheapest ${data.noun} of its task (${number(best)}).`;
    }
    if (!other) return `It costs ${number(cost)}, as little as any; no alternative was found in the time given.`;
    if (other.cost === cost) return `It costs ${number(cost)}, and so does another ${data.noun}: the two tie.`;
    return `It costs ${number(cost)}; its cheapest alternative costs ${number(other.cost)}, ${number(other.cost - cost)} more.`;
  }

  // Tables of which only the first rows are in the page, with a button for more

  function table(kind, columns, matches, order) {
    const body = byId(`${kind}-table`).tBodies[0];
    const heads = [...byId(`${kind}-table`).tHead.rows[0].cells];
    const more = byId(`${kind}-more`);
    const used = heads.map((head) => columns[head.dataset.key]);
    let [items, shown, total] = [[], 0, 0];

    function add(upTo) {
      for (; shown < Math.min(upTo, items.length); shown += 1) {
        const n = items[shown];
        const row = make("tr", { "data-row": n }, ...used.map((column) => {
          const cell = column.cell(n);
          return cell instanceof Node ? make("td", {}, cell) : make("td", { class: column.kind || "number", text: cell });
        }));
        row.addEventListener("click", (event) => {
          const button = row.querySelector("button");
          if (button && !event.target.closest("button")) button.click();
        });
        body.append(row);
      }
      more.hidden = shown >= items.length;
      more.textContent = `Show more (${number(items.length - shown)} left)`;
    }

    function show() {
      const words = byId(`${kind}-search`).value.toLowerCase().split(/\s+/).filter(Boolean);
      const wanted = byId(`${kind}-filter`).value;
      items = [...Array(total).keys()].filter((n) => matches(n, words, wanted));
      const { value } = columns[order.key];
      const sign = order.down ? -1 : 1;
      items.sort((a, b) => sign * (value(a) - value(b)) || a - b);
      [shown] = [0];
      body.replaceChildren();
      add(30);
      byId(`${kind}-count`).textContent = items.length === total
        ? number(total) : `${number(items.length)} of ${number(total)}`;
      for (const head of heads) {
        if (head.dataset.key === order.key) head.setAttribute("aria-sort", order.down ? "descending" : "ascending");
        else head.removeAttribute("aria-sort");
      }
    }

    for (const head of heads) {
      const { key } = head.dataset;
      head.classList.toggle("number", key !== "name");
      head.firstElementChild.addEventListener("click", () => {
        order = { key, down: order.key === key ? !order.down : key !== "name" };
        show();
      });
    }
    more.addEventListener("click", () => add(shown + 200));
    byId(`${kind}-search`).addEventListener("input", show);
    byId(`${kind}-filter`).addEventListener("change", show);
    return {
      fill(count) { total = count; show(); },
      // The row of an item, which is brought in if need be.
      row(n) {
        if (!items.includes(n)) {
          byId(`${kind}-search`).value = byId(`${kind}-filter`).value = "";
          show();
        }
        if (items.indexOf(n) >= shown) add(items.indexOf(n) + 1);
        return body.querySelector(`[data-row="${n}"]`);
      },
    };
  }

  const planButton = (n) => make("button", { type: "button", class: "name", "aria-expanded": "false",
    text: plans.names[n], click: () => choosePlan(chosen.plan === n ? null : n) });
  const change = (n) => part.costs[n] - part.known[n];
  const signed = (n) => (n > 0 ? `+${number(n)}` : n < 0 ? `\u2212${number(-n)}` : "");
  const includes = (text, words) => words.every((word) => text.toLowerCase().includes(word));

  const planTable = table("plan", {
    name: { value: (n) => n, cell: planButton },
    cost: { value: (n) => plans.costs[n], cell: (n) => number(plans.costs[n]) },
    excess: { value: excess, cell: (n) => (excess(n) ? `+${number(100 * excess(n))}\u00a0%` : "") },
    verdict: { value: (n) => Number(plans.verdicts[n]), cell: verdict, kind: "number verdict" },
  }, (n, words, wanted) => (wanted === "" || plans.verdicts[n] === wanted)
    && includes(`${plans.names[n]} ${plans.tasks[n]}`, words), { key: "excess", down: true });

  const costTable = table("cost", {
    name: { value: (n) => n, kind: "action", cell: (n) => (map && map.way[n] >= 0
      ? make("button", { type: "button", class: "name action", text: actions[n], click: () => chooseWay(map.way[n], true) })
      : actions[n]) },
    cost: { value: (n) => part.costs[n], cell: (n) => number(part.costs[n]) },
    known: { value: (n) => part.known[n], cell: (n) => number(part.known[n]) },
    change: { value: change, cell: (n) => signed(change(n)) },
    error: { value: (n) => part.errors[n] || 0, cell: (n) => (part.errors[n] === null ? "" : `\u00b1\u2009${number(part.errors[n])}`) },
    uses: { value: (n) => part.uses[n], cell: (n) => number(part.uses[n]) },
  }, (n, words, wanted) => includes(actions[n], words)
    && (wanted !== "used" || part.uses[n] > 0)
    && (wanted !== "dearer" || change(n) > 0)
    && (wanted !== "cheaper" || change(n) < 0), { key: "cost", down: true });

  // One plan beside its cheapest alternative

  const EQUAL_SHOWN = 6;  // longer stretches in which both agree are cut short

  const step = (action, kind) => make("td", { class: `action ${kind}` },
    make("span", { class: "price", text: number(part.costs[action]) }), actions[action]);
  const head = (...texts) => make("thead", {}, make("tr", {}, ...texts.map((text) => make("th", { scope: "col", text }))));

  function comparison(steps, other) {
    const rows = make("tbody");
    const beside = (from, to, otherFrom, otherTo) => {
      for (let i = 0; i < Math.max(to - from, otherTo - otherFrom); i += 1) {
        rows.append(make("tr", {},
          from + i < to ? step(steps[from + i], "own") : make("td"),
          otherFrom + i < otherTo ? step(other.steps[otherFrom + i], "other") : make("td")));
      }
    };
    let [at, otherAt] = [0, 0];
    for (const [start, otherStart, size] of other.same) {
      beside(at, start, otherAt, otherStart);
      const isCut = size > EQUAL_SHOWN;
      for (let i = 0; i < size; i += 1) {
        if (isCut && i === 2) {
          rows.append(make("tr", {}, make("td", { class: "gap", colspan: 2, text: `${size - 4} more steps alike` })));
        }
        if (!isCut || i < 2 || i >= size - 2) {
          rows.append(make("tr", {}, step(steps[start + i], "alike"), step(other.steps[otherStart + i], "alike")));
        }
      }
      [at, otherAt] = [start + size, otherStart + size];
    }
    beside(at, steps.length, otherAt, other.steps.length);
    return rows;
  }

  function detail(n) {
    const [steps, other] = [plans.steps[n], plans.others[n]];
    const seen = plans.counts[n] > 1 ? `, seen ${number(plans.counts[n])} times` : "";
    const own = `observed, cost ${number(plans.costs[n])}`;
    const content = [make("p", { class: "soft", text: `${plans.tasks[n]}, ${counted(steps.length, "step")}${seen}` }),
      make("p", { text: sentence(n) })];
    if (plans.why[n].length) content.push(make("ul", {}, ...plans.why[n].map((text) => make("li", { text }))));
    if (map) content.push(make("button", { type: "button", class: "show", text: "Show on the map", click: () => showOnMap() }));
    content.push(other
      ? make("table", { class: "steps" }, head(own, `alternative, cost ${number(other.cost)}`), comparison(steps, other))
      : make("table", { class: "steps" }, head(own), make("tbody", {}, ...steps.map((action) => make("tr", {}, step(action, ""))))));
    const columns = byId("plan-table").tHead.rows[0].cells.length;
    return make("tr", { class: "detail" }, make("td", { colspan: columns }, ...content));
  }

  // What is chosen

  function choose(next) {
    chosen = next;
    for (const row of document.querySelectorAll("tr.detail")) row.remove();
    for (const button of document.querySelectorAll("[aria-expanded=true]")) button.setAttribute("aria-expanded", "false");
    const group = data.parts.length > 1 ? `group-${data.parts.indexOf(part) + 1}` : "";
    const plan = chosen.plan === null ? "" : `plan-${chosen.plan + 1}`;
    history.replaceState(null, "", `#${[group, plan].filter(Boolean).join("-")}`);
    if (!map) return;
    const box = byId("chosen");
    box.hidden = chosen.plan === null && chosen.way === null;
    box.replaceChildren(...(chosen.plan !== null ? planWords(chosen.plan) : chosen.way !== null ? wayWords(chosen.way) : []),
      make("button", { type: "button", class: "close", "aria-label": "Clear", text: "\u00d7", click: clear }));
    redraw();
  }

  function clear() {
    choose({ plan: null, way: null });
  }

  function choosePlan(n, scrolls = false) {
    choose({ plan: n, way: null });
    if (n === null) return;
    const row = planTable.row(n);
    row.after(detail(n));
    row.querySelector("button").setAttribute("aria-expanded", "true");
    if (scrolls) row.scrollIntoView({ block: "start" });
    if (map) showWays([...routeOf(n), ...otherRoute(n)]);
  }

  function chooseWay(way, scrolls) {
    choose({ plan: null, way });
    if (!scrolls) return;
    showWays([way]);
    showOnMap();
  }

  const showOnMap = () => byId("map").scrollIntoView({ block: "nearest" });

  function planWords(n) {
    return [make("b", { text: plans.names[n] }), make("p", { text: sentence(n) }),
      make("p", {}, make("span", { class: "line trip" }), "observed ",
        ...(plans.others[n] ? [make("span", { class: "line other" }), "alternative"] : [])),
      make("button", { type: "button", text: "Its steps", click: () => choosePlan(n, true) })];
  }

  function wayWords(way) {
    const rows = map.actions[way].slice(0, 8).map((n) => {
      const known = part.known ? `, known ${number(part.known[n])}` : "";
      const error = part.errors && part.errors[n] !== null ? ` \u00b1 ${number(part.errors[n])}` : "";
      return make("li", {}, make("span", { class: "action", text: actions[n] }), `: cost ${number(part.costs[n])}${error}${known}`);
    });
    const over = plans.names.map((_, n) => n).filter((n) => routeOf(n).includes(way));
    const buttons = over.slice(0, 12).flatMap((n) => [
      make("button", { type: "button", class: "name", text: plans.names[n], click: () => choosePlan(n, true) }), " "]);
    return [make("b", { text: `${map.places[map.from[way]]} \u2192 ${map.places[map.to[way]]}` }), make("ul", {}, ...rows),
      make("p", {}, `${counted(over.length, data.noun)}${over.length > 12 ? ", such as " : over.length ? ": " : ""}`, ...buttons)];
  }

  // The map: geometry. Points of way i begin at first[i]; beside each is the side to the right.

  const WAYS = map ? map.from.length : 0;
  const first = new Uint32Array(WAYS + 1);
  const [xs, ys] = [[], []];
  for (let i = 0; i < WAYS; i += 1) {
    first[i] = xs.length;
    const points = [[map.x[map.from[i]], map.y[map.from[i]]], ...(map.bends[i] || []), [map.x[map.to[i]], map.y[map.to[i]]]];
    for (const [x, y] of points) { xs.push(x); ys.push(y); }
  }
  first[WAYS] = xs.length;
  const sideX = new Float64Array(xs.length);
  const sideY = new Float64Array(xs.length);
  const ends = new Set(Array.from({ length: WAYS }, (_, i) => `${map.from[i]}>${map.to[i]}`));
  const isTwoWay = Array.from({ length: WAYS }, (_, i) => ends.has(`${map.to[i]}>${map.from[i]}`));
  const lengths = [];
  for (let i = 0; i < WAYS; i += 1) {
    let length = 0;
    for (let p = first[i]; p < first[i + 1]; p += 1) {
      const [a, b] = [Math.max(first[i], p - 1), Math.min(first[i + 1] - 1, p + 1)];
      const apart = Math.hypot(xs[b] - xs[a], ys[b] - ys[a]) || 1;
      sideX[p] = -(ys[b] - ys[a]) / apart;
      sideY[p] = (xs[b] - xs[a]) / apart;
      if (p > first[i]) length += Math.hypot(xs[p] - xs[p - 1], ys[p] - ys[p - 1]);
    }
    lengths.push(length);
  }
  const typical = [...lengths].sort((a, b) => a - b)[WAYS >> 1] || 1;

  function boxOf(ways) {
    const box = [Infinity, Infinity, -Infinity, -Infinity];
    for (const i of ways) {
      for (let p = first[i]; p < first[i + 1]; p += 1) {
        box[0] = Math.min(box[0], xs[p]); box[1] = Math.min(box[1], ys[p]);
        box[2] = Math.max(box[2], xs[p]); box[3] = Math.max(box[3], ys[p]);
      }
    }
    return box;
  }
  const boxes = Array.from({ length: WAYS }, (_, i) => boxOf([i]));
  const everything = boxOf(Array(WAYS).keys());

  // The map: drawing

  const canvas = byId("canvas");
  const context = canvas && canvas.getContext("2d", { alpha: false });
  const camera = { x: 0, y: 0, scale: 1 };
  const screen = { width: 1, height: 1, ratio: 1 };
  const WIDTHS = 8;
  let [uses, buckets, colours, hovered, isAsked] = [[], [], {}, null, false];

  function readColours() {
    const style = getComputedStyle(document.documentElement);
    const get = (name) => style.getPropertyValue(`--${name}`).trim();
    colours = { classes: [0, 1, 2, 3, 4, 5, 6].map((n) => get(`${part.kind}-${n}`)) };
    for (const name of ["paper", "ink", "soft", "trip", "other"]) colours[name] = get(name);
  }

  // Ways of the same colour and width are one stroke; wide ones come last.
  function fillBuckets() {
    uses = Array(WAYS).fill(0);
    plans.names.forEach((_, n) => { for (const way of new Set(routeOf(n))) uses[way] += plans.counts[n]; });
    const most = Math.max(1, ...uses);
    buckets = Array.from({ length: WIDTHS * 7 }, () => []);
    uses.forEach((used, i) => {
      const width = used ? 1 + Math.round((WIDTHS - 2) * Math.sqrt(used / most)) : 0;
      buckets[7 * width + Number(part.classes[i])].push(i);
    });
  }

  const zoomed = () => Math.max(0.6, Math.min(2, Math.sqrt((typical * camera.scale) / 20)));
  const widthOf = (w) => (w ? 1 + (5 * w) / (WIDTHS - 1) : 0.9) * zoomed();
  const sideOf = (width) => Math.min(width / 2 + 0.7 * zoomed(), typical * camera.scale * 0.14);
  const screenX = (x) => (x - camera.x) * camera.scale + screen.width / 2;
  const screenY = (y) => (y - camera.y) * camera.scale + screen.height / 2;

  function isVisible(i) {
    const [w, h] = [(screen.width / 2 + 20) / camera.scale, (screen.height / 2 + 20) / camera.scale];
    const [left, top, right, bottom] = boxes[i];
    return left <= camera.x + w && right >= camera.x - w && top <= camera.y + h && bottom >= camera.y - h;
  }

  function trace(i, side, isJoined) {
    const shift = isTwoWay[i] ? side / camera.scale : 0;
    for (let p = first[i]; p < first[i + 1]; p += 1) {
      const [x, y] = [screenX(xs[p] + sideX[p] * shift), screenY(ys[p] + sideY[p] * shift)];
      if (p === first[i] && !isJoined) context.moveTo(x, y);
      else context.lineTo(x, y);
    }
  }

  function stroke(colour, width, dashes = []) {
    context.strokeStyle = colour;
    context.lineWidth = width;
    context.setLineDash(dashes);
    context.stroke();
  }

  function drawRoute(route, side, colour, width, dashes) {
    context.beginPath();
    route.forEach((way, n) => trace(way, side, n > 0 && map.to[route[n - 1]] === map.from[way]));
    stroke(colour, width, dashes);
  }

  function dot(place, radius, fill, line) {
    context.beginPath();
    context.arc(screenX(map.x[place]), screenY(map.y[place]), radius, 0, 2 * Math.PI);
    context.fillStyle = fill;
    context.fill();
    stroke(line, 2.5);
  }

  function drawPlan(n) {
    const [route, other] = [routeOf(n), otherRoute(n)];
    context.globalAlpha = 0.66;
    context.fillStyle = colours.paper;
    context.fillRect(0, 0, screen.width, screen.height);
    context.globalAlpha = 1;
    if (!route.length) return;
    const width = Math.max(4, 3.4 * zoomed());
    const side = sideOf(width * 0.8);
    const shared = new Set(route);
    context.lineCap = "round";
    drawRoute(route, side, colours.paper, width + 4);
    drawRoute(route, side, colours.trip, width);
    context.lineCap = "butt";
    const apart = other.filter((way) => !shared.has(way));
    drawRoute(apart, side, colours.paper, width + 2);
    drawRoute(apart, side, colours.other, width, [2.4 * width, 1.2 * width]);
    dot(map.from[route[0]], Math.max(6, width * 1.2), colours.trip, colours.paper);
    const last = map.to[route[route.length - 1]];
    dot(last, Math.max(7, width * 1.4), colours.paper, colours.trip);
    dot(last, Math.max(2.5, width * 0.5), colours.trip, colours.trip);
  }

  // Which way a way leads, where there is room to say so.
  function drawArrow(i, side, colour, size) {
    const [a, b] = [first[i + 1] - 2, first[i + 1] - 1];
    const shift = isTwoWay[i] ? side / camera.scale : 0;
    const [x, y] = [screenX((xs[a] + 2 * xs[b]) / 3 + sideX[b] * shift), screenY((ys[a] + 2 * ys[b]) / 3 + sideY[b] * shift)];
    const [alongX, alongY] = [sideY[b] * size, -sideX[b] * size];
    context.beginPath();
    context.moveTo(x + alongX, y + alongY);
    context.lineTo(x - alongX - alongY * 0.8, y - alongY + alongX * 0.8);
    context.lineTo(x - alongX + alongY * 0.8, y - alongY - alongX * 0.8);
    context.fillStyle = colour;
    context.fill();
  }

  function drawNames() {
    if (map.places.length > 40 && typical * camera.scale < 80) return;
    context.font = "12px system-ui, sans-serif";
    context.textAlign = "center";
    context.lineJoin = "round";
    const taken = new Set();
    map.places.forEach((name, n) => {
      const [x, y] = [screenX(map.x[n]), screenY(map.y[n]) - 9];
      if (x < 0 || y < 0 || x > screen.width || y > screen.height) return;
      const text = name.length > 24 ? `${name.slice(0, 23)}\u2026` : name;
      const reach = Math.ceil((text.length * 7) / 48);
      const spots = [];
      for (let c = -reach; c <= reach; c += 1) spots.push(`${Math.round(x / 24) + c},${Math.round(y / 18)}`);
      if (spots.some((spot) => taken.has(spot))) return;
      spots.forEach((spot) => taken.add(spot));
      context.strokeStyle = colours.paper;
      context.lineWidth = 4;
      context.setLineDash([]);
      context.strokeText(text, x, y);
      context.fillStyle = colours.soft;
      context.fillText(text, x, y);
    });
  }

  function draw() {
    context.setTransform(screen.ratio, 0, 0, screen.ratio, 0, 0);
    context.fillStyle = colours.paper;
    context.fillRect(0, 0, screen.width, screen.height);
    const hasArrows = typical * camera.scale > 36;
    buckets.forEach((members, b) => {
      const seen = members.filter(isVisible);
      if (!seen.length) return;
      const width = widthOf(Math.floor(b / 7));
      context.lineCap = width < 2.5 ? "butt" : "round";
      context.beginPath();
      for (const i of seen) trace(i, sideOf(width), false);
      stroke(colours.classes[b % 7], width);
      if (!hasArrows) return;
      for (const i of seen) if (lengths[i]) drawArrow(i, sideOf(width), colours.classes[b % 7], width / 2 + 3);
    });
    if (chosen.plan !== null) drawPlan(chosen.plan);
    context.lineCap = "round";
    for (const way of [chosen.way, hovered]) {
      if (way !== null) drawRoute([way], sideOf(5), colours.ink, 5);
    }
    drawNames();
  }

  function redraw() {
    if (isAsked || !map) return;
    isAsked = true;
    requestAnimationFrame(() => {
      const begun = performance.now();
      isAsked = false;
      draw();
      canvas.dataset.milliseconds = (performance.now() - begun).toFixed(1);
    });
  }

  // The map: camera. What is chosen stands on the map, so pictures are moved beside it.

  function showBox([left, top, right, bottom], most) {
    const padding = Math.min(40, screen.width / 10);
    const scale = Math.min((screen.width - 2 * padding) / Math.max(1, right - left),
      (screen.height - 2 * padding) / Math.max(1, bottom - top), most);
    Object.assign(camera, { x: (left + right) / 2, y: (top + bottom) / 2, scale });
    redraw();
  }
  const showWays = (ways) => { if (ways.length) showBox(boxOf(ways), 160 / typical); };
  const showAll = () => showBox(everything, 1e6);

  function zoomAt(x, y, factor) {
    const scale = Math.max(1e-4, Math.min(500 / typical + 1, camera.scale * factor));
    camera.x += (x - screen.width / 2) * (1 / camera.scale - 1 / scale);
    camera.y += (y - screen.height / 2) * (1 / camera.scale - 1 / scale);
    camera.scale = scale;
    redraw();
  }

  function pan(dx, dy) {
    const clamp = (value, low, high) => Math.max(low, Math.min(high, value));
    camera.x = clamp(camera.x - dx / camera.scale, everything[0], everything[2]);
    camera.y = clamp(camera.y - dy / camera.scale, everything[1], everything[3]);
    redraw();
  }

  function resize() {
    const before = screen.width;
    Object.assign(screen, { width: canvas.clientWidth || 1, height: canvas.clientHeight || 1,
      ratio: Math.min(2, window.devicePixelRatio || 1) });
    canvas.width = Math.round(screen.width * screen.ratio);
    canvas.height = Math.round(screen.height * screen.ratio);
    if (before === 1) showAll();
    redraw();
  }

  // The way nearest to a point of the screen, within so many pixels; null if there is none.
  function wayAt(x, y, within) {
    let [best, nearest] = [within, null];
    const side = sideOf(widthOf(1)) / camera.scale;
    for (let i = 0; i < WAYS; i += 1) {
      if (!isVisible(i)) continue;
      const shift = isTwoWay[i] ? side : 0;
      for (let p = first[i] + 1; p < first[i + 1]; p += 1) {
        const [ax, ay] = [screenX(xs[p - 1] + sideX[p - 1] * shift), screenY(ys[p - 1] + sideY[p - 1] * shift)];
        const [dx, dy] = [screenX(xs[p] + sideX[p] * shift) - ax, screenY(ys[p] + sideY[p] * shift) - ay];
        const at = Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)));
        const away = Math.hypot(x - ax - at * dx, y - ay - at * dy);
        if (away < best) [best, nearest] = [away, i];
      }
    }
    return nearest;
  }

  function hover(way, point) {
    if (way !== hovered) redraw();
    hovered = way;
    const tip = byId("tip");
    tip.hidden = way === null;
    if (way === null) return;
    const own = map.actions[way];
    const costs = own.map((n) => part.costs[n]);
    const range = [...new Set([Math.min(...costs), Math.max(...costs)])].map(number).join(" to ");
    const name = own.length === 1 ? actions[own[0]] : `${map.places[map.from[way]]} \u2192 ${map.places[map.to[way]]}`;
    tip.textContent = `${name}: cost ${range}, ${counted(uses[way], data.noun)}`;
    tip.style.left = `${Math.max(4, Math.min(point.x + 14, screen.width - tip.offsetWidth - 4))}px`;
    tip.style.top = `${point.y > screen.height - 60 ? point.y - 40 : point.y + 16}px`;
  }

  function startMap() {
    const pointers = new Map();
    let travelled = 0;
    const place = (event) => {
      const box = canvas.getBoundingClientRect();
      return { x: event.clientX - box.left, y: event.clientY - box.top };
    };
    canvas.addEventListener("pointerdown", (event) => {
      if (event.button > 0) return;
      canvas.setPointerCapture(event.pointerId);
      if (!pointers.size) travelled = 0;
      pointers.set(event.pointerId, place(event));
    });
    canvas.addEventListener("pointermove", (event) => {
      const [point, known] = [place(event), pointers.get(event.pointerId)];
      if (!known) {
        if (event.pointerType !== "touch") hover(wayAt(point.x, point.y, 8), point);
        return;
      }
      travelled += Math.hypot(point.x - known.x, point.y - known.y);
      const other = [...pointers].filter(([id]) => id !== event.pointerId).map(([, where]) => where)[0];
      if (other) {
        const [before, after] = [known, point].map((one) => Math.hypot(one.x - other.x, one.y - other.y));
        if (before > 8) zoomAt((point.x + other.x) / 2, (point.y + other.y) / 2, after / before);
      } else if (travelled > 4) pan(point.x - known.x, point.y - known.y);
      pointers.set(event.pointerId, point);
    });
    for (const kind of ["pointerup", "pointercancel"]) {
      canvas.addEventListener(kind, (event) => {
        if (!pointers.delete(event.pointerId) || kind === "pointercancel" || travelled > 4) return;
        const point = place(event);
        const way = wayAt(point.x, point.y, event.pointerType === "touch" ? 18 : 9);
        if (way === null) clear();
        else chooseWay(way, false);
      });
    }
    canvas.addEventListener("pointerleave", () => hover(null));
    canvas.addEventListener("wheel", (event) => {
      event.preventDefault();
      const point = place(event);
      zoomAt(point.x, point.y, Math.exp(-Math.max(-240, Math.min(240, event.deltaY)) * 0.002));
    }, { passive: false });
    const centred = (factor) => zoomAt(screen.width / 2, screen.height / 2, factor);
    const keys = { "+": () => centred(1.5), "=": () => centred(1.5), "-": () => centred(1 / 1.5), 0: showAll,
      ArrowLeft: () => pan(80, 0), ArrowRight: () => pan(-80, 0), ArrowUp: () => pan(0, 80), ArrowDown: () => pan(0, -80) };
    canvas.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in keys)) return;
      event.preventDefault();
      keys[event.key]();
    });
    byId("zoom-in").addEventListener("click", () => centred(1.6));
    byId("zoom-out").addEventListener("click", () => centred(1 / 1.6));
    byId("zoom-all").addEventListener("click", showAll);
    matchMedia("(prefers-color-scheme: dark)").addEventListener("change", () => { readColours(); redraw(); });
    if (window.innerWidth < 900) byId("legend").open = false;
    new ResizeObserver(resize).observe(canvas);
    resize();
  }

  // Groups, and the beginning

  function showPart(n) {
    part = data.parts[n];
    plans = part.plans;
    for (const element of document.querySelectorAll("[data-part]")) element.hidden = Number(element.dataset.part) !== n;
    for (const button of document.querySelectorAll("[data-group]")) {
      button.setAttribute("aria-pressed", String(Number(button.dataset.group) === n));
    }
    if (map) {
      readColours();
      fillBuckets();
    }
    planTable.fill(plans.names.length);
    costTable.fill(actions.length);
    clear();
  }

  for (const button of document.querySelectorAll("[data-group]")) {
    button.addEventListener("click", () => showPart(Number(button.dataset.group)));
  }
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape" && !event.target.matches("input")) clear();
  });
  const [, group, plan] = /^#(?:group-(\d+))?-?(?:plan-(\d+))?$/.exec(window.location.hash) || [];
  if (map) startMap();
  showPart(Math.min(data.parts.length, Number(group || 1)) - 1);
  if (plan >= 1 && plan <= plans.names.length) choosePlan(plan - 1, true);
})();
