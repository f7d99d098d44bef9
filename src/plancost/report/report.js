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
    const isShape = tag === "path" || tag === "text";
    const element = document.createElementNS(`http://www.w3.org/${isShape ? "2000/svg" : "1999/xhtml"}`, tag);
    for (const [name, value] of Object.entries(settings)) {
      if (name === "text") element.textContent = value;
      else if (name === "click") element.addEventListener("click", value);
      else element.setAttribute(name, value);
    }
    element.append(...children);
    return element;
  }

  // Plans and their ways on the map

  const onMap = (steps) => steps.map((action) => map.way[action]).filter((way) => way >= 0);
  const routeOf = (n) => (plans.routes ? plans.routes[n] : onMap(plans.steps[n]));
  const otherRoute = (n) => (plans.others[n] ? plans.others[n].route || onMap(plans.others[n].steps) : []);
  const excess = (n) => (plans.best[n] ? plans.costs[n] / plans.best[n] - 1 : 0);

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
        body.append(make("tr", { "data-row": n }, ...used.map((column) => (
          make("td", { class: column === columns.name ? "action" : "number" }, column.cell(n))))));
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
      shown = 0;
      body.replaceChildren();
      add(30);
      byId(`${kind}-count`).textContent = `${number(items.length)} of ${number(total)}`;
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
    body.addEventListener("click", ({ target }) => {
      if (!target.closest("button, .detail")) target.closest("tr").querySelector("button")?.click();
    });
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
  const includes = (text, words) => words.every((word) => text.toLowerCase().includes(word));

  const planTable = table("plan", {
    name: { value: (n) => n, cell: planButton },
    cost: { value: (n) => plans.costs[n], cell: (n) => number(plans.costs[n]) },
    excess: { value: excess, cell: (n) => (excess(n) ? `+${number(100 * excess(n))}\u00a0%` : "") },
    verdict: { value: (n) => plans.verdicts[n].length, cell: (n) => plans.verdicts[n] },
  }, (n, words, wanted) => (wanted === "" || plans.verdicts[n] === wanted)
    && includes(`${plans.names[n]} ${plans.tasks[n]}`, words), { key: "excess", down: true });

  const costTable = table("cost", {
    name: { value: (n) => n, cell: (n) => (map && map.way[n] >= 0
      ? make("button", { type: "button", class: "name", text: actions[n], click: () => chooseWay(map.way[n]) })
      : actions[n]) },
    cost: { value: (n) => part.costs[n], cell: (n) => number(part.costs[n]) },
    known: { value: (n) => part.known[n], cell: (n) => number(part.known[n]) },
    change: { value: change, cell: (n) => change(n).toLocaleString("en", { signDisplay: "exceptZero" }) },
    error: { value: (n) => part.errors[n] || 0, cell: (n) => (part.errors[n] === null ? "" : `\u00b1\u2009${number(part.errors[n])}`) },
    uses: { value: (n) => part.uses[n], cell: (n) => number(part.uses[n]) },
  }, (n, words, wanted) => includes(actions[n], words)
    && (wanted !== "used" || part.uses[n] > 0), { key: part.known ? "change" : "cost", down: true });

  // One plan beside its cheapest alternative

  function step(action, kind) {
    if (action === undefined) return make("td");
    return make("td", { class: `action ${kind}` }, make("span", { class: "price", text: number(part.costs[action]) }), actions[action]);
  }

  // Rows begin with how many steps are alike, or 0; of long stretches the middle is left out.
  function comparison(steps, other) {
    let [at, otherAt] = [0, 0];
    return other.rows.flatMap(([alike, own, others]) => {
      const [mine, theirs] = [steps.slice(at, at + own), other.steps.slice(otherAt, otherAt + others)];
      const rows = Array.from({ length: Math.max(own, others) }, (_, i) => make("tr", {},
        step(mine[i], alike ? "alike" : "own"), step(theirs[i], alike ? "alike" : "other")));
      const left = make("td", { class: "soft", colspan: 2, text: `${alike - 4} more steps alike` });
      if (alike > 6) rows.splice(2, alike - 4, make("tr", {}, left));
      [at, otherAt] = [at + own, otherAt + others];
      return rows;
    });
  }

  function detail(n) {
    const [steps, other] = [plans.steps[n], plans.others[n]];
    const seen = plans.counts[n] > 1 ? `, seen ${number(plans.counts[n])} times` : "";
    const own = `observed, cost ${number(plans.costs[n])}`;
    const content = [make("p", { class: "soft", text: `${plans.tasks[n]}, ${counted(steps.length, "step")}${seen}` }),
      make("p", { text: plans.said[n] })];
    if (plans.why[n].length) content.push(make("ul", {}, ...plans.why[n].map((text) => make("li", { text }))));
    if (map) content.push(make("button", { type: "button", class: "show", text: "Show on the map", click: showOnMap }));
    const rows = other ? comparison(steps, other) : steps.map((action) => make("tr", {}, step(action, "")));
    const heads = other ? [own, `alternative, cost ${number(other.cost)}`] : [own];
    content.push(make("table", { class: "steps" },
      make("thead", {}, make("tr", {}, ...heads.map((text) => make("th", { scope: "col", text })))), make("tbody", {}, ...rows)));
    return make("tr", { class: "detail" }, make("td", { colspan: 4 }, ...content));
  }

  // What is chosen

  const showOnMap = () => byId("map").scrollIntoView({ block: "nearest" });
  const clear = () => choose({ plan: null, way: null });

  function choose(next) {
    chosen = next;
    for (const row of document.querySelectorAll("tr.detail")) row.remove();
    for (const button of document.querySelectorAll("[aria-expanded=true]")) button.setAttribute("aria-expanded", "false");
    const group = data.parts.length > 1 ? `group-${data.parts.indexOf(part) + 1}` : "";
    const plan = chosen.plan === null ? "" : `plan-${chosen.plan + 1}`;
    if (window === window.top) history.replaceState(null, "", `#${[group, plan].filter(Boolean).join("-")}`);
    if (!map) return;
    const box = byId("chosen");
    box.hidden = chosen.plan === null && chosen.way === null;
    box.replaceChildren(...(chosen.plan !== null ? planWords(chosen.plan) : chosen.way !== null ? wayWords(chosen.way) : []),
      make("button", { type: "button", class: "close", "aria-label": "Clear", text: "\u00d7", click: clear }));
    drawChosen();
  }

  function choosePlan(n, scrolls = false) {
    choose({ plan: n, way: null });
    if (n === null) return;
    const row = planTable.row(n);
    row.after(detail(n));
    row.querySelector("button").setAttribute("aria-expanded", "true");
    if (scrolls) row.scrollIntoView({ block: "start" });
    if (map) showChosen();
  }

  function chooseWay(way) {
    choose({ plan: null, way });
    showChosen();
    showOnMap();
  }

  function planWords(n) {
    return [make("b", { text: plans.names[n] }), make("p", { text: plans.said[n] }),
      make("p", {}, make("span", { class: "line trip" }), "observed ",
        ...(plans.others[n] ? [make("span", { class: "line other" }), "alternative"] : [])),
      make("button", { type: "button", text: "Its steps", click: () => choosePlan(n, true) })];
  }

  const wayName = (way) => `${map.places[map.from[way]]} \u2192 ${map.places[map.to[way]]}`;

  function wayWords(way) {
    const rows = map.actions[way].slice(0, 8).map((n) => {
      const known = part.known ? `, known ${number(part.known[n])}` : "";
      const error = part.errors && part.errors[n] !== null ? ` \u00b1 ${number(part.errors[n])}` : "";
      return make("li", {}, make("span", { class: "action", text: actions[n] }), `: cost ${number(part.costs[n])}${error}${known}`);
    });
    const over = plans.names.map((_, n) => n).filter((n) => routeOf(n).includes(way));
    const buttons = over.slice(0, 12).flatMap((n) => [
      make("button", { type: "button", class: "name", text: plans.names[n], click: () => choosePlan(n, true) }), " "]);
    return [make("b", { text: wayName(way) }), make("ul", {}, ...rows),
      make("p", {}, `${counted(over.length, data.noun)}${over.length > 12 ? ", such as " : over.length ? ": " : ""}`, ...buttons)];
  }

  // The map. Ways are lists of points, x and y in turn; colours and widths that occur are one path each.

  const svg = byId("canvas");
  const [viewX, viewY, viewWidth, viewHeight] = map ? map.view : [0, 0, 1, 1];
  const view = { x: viewX + viewWidth / 2, y: viewY + viewHeight / 2, scale: 1, width: 1, height: 1 };
  const lineOf = (way) => `M${map.points[way].join()}`;
  // Where a way goes on from the one before, both meet halfway, as they lie on the right of streets.
  function routeLine(ways) {
    const lines = ways.map((way) => [...map.points[way]]);
    lines.forEach((line, n) => {
      if (!n || map.to[ways[n - 1]] !== map.from[ways[n]]) return;
      const [before, last] = [lines[n - 1], lines[n - 1].length - 2];
      for (const axis of [0, 1]) line[axis] = before[last + axis] = (line[axis] + before[last + axis]) / 2;
    });
    return lines.map((line) => `M${line.join()}`).join("");
  }
  const layer = (name) => byId("map").querySelector(`.${name}`);
  let uses = [];

  function drawWays() {
    uses = map.points.map(() => 0);
    plans.names.forEach((_, n) => { for (const way of new Set(routeOf(n))) uses[way] += plans.counts[n]; });
    const most = uses.reduce((a, b) => Math.max(a, b), 1);
    const members = Array.from({ length: 56 }, () => []);
    uses.forEach((used, way) => members[7 * Math.ceil(7 * Math.sqrt(used / most)) + Number(part.classes[way])].push(way));
    layer("ways").replaceChildren(...members.flatMap((ways, n) => (ways.length ? [
      make("path", { class: `class-${n % 7}`, "data-wide": Math.floor(n / 7), d: ways.map(lineOf).join("") }),
      make("path", { class: `arrows class-${n % 7}`, d: ways.map((way) => map.arrows[way]).join("") })] : [])));
    svg.classList.toggle("ratio", part.kind === "ratio");
  }

  function drawChosen() {
    const found = [];
    const dot = (place, kind) => found.push(make("path", { class: kind, d: `M${map.x[place]},${map.y[place]}h0` }));
    const line = (ways, kind) => ways.length && found.push(make("path", { class: kind, d: routeLine(ways) }));
    if (chosen.plan !== null) {
      const route = routeOf(chosen.plan);
      line(route, "casing");
      line(route, "trip");
      line(otherRoute(chosen.plan).filter((way) => !route.includes(way)), "other");
      if (route.length) {
        dot(map.from[route[0]], "start");
        for (const kind of ["start", "hole", "goal"]) dot(map.to[route[route.length - 1]], kind);
      }
    }
    if (chosen.way !== null) line([chosen.way], "way");
    layer("chosen").replaceChildren(...found);
    svg.classList.toggle("dimmed", chosen.plan !== null);
  }

  // Names, where there is room for them: one in each cell.
  function drawNames() {
    const [size, cells] = [12 / view.scale, new Map()];
    if (map.places.length <= 40 || map.typical * view.scale > 80) {
      map.places.forEach((name, n) => {
        const [x, y] = [map.x[n], map.y[n]];
        const isSeen = Math.abs(x - view.x) * view.scale < view.width / 2 && Math.abs(y - view.y) * view.scale < view.height / 2;
        const cell = `${Math.round(x / size / (2 + name.length / 2))},${Math.round(y / size / 1.5)}`;
        if (isSeen && !cells.has(cell)) cells.set(cell, make("text", { x, y: y - 1.2 * size, "font-size": size, text: name.slice(0, 24) }));
      });
    }
    layer("names").replaceChildren(...cells.values());
  }

  // The camera: what is in the middle, and how many pixels a unit takes.
  function look({ x, y, scale }) {
    const within = (value, low, high) => Math.max(low, Math.min(high, value));
    const least = 0.5 * Math.min(view.width / viewWidth, view.height / viewHeight);
    view.scale = within(scale, least, Math.max(least * 8, 500 / map.typical));
    view.x = within(x, viewX, viewX + viewWidth);
    view.y = within(y, viewY, viewY + viewHeight);
    const [width, height] = [view.width / view.scale, view.height / view.scale];
    const box = [view.x - width / 2, view.y - height / 2, width, height].map((n) => n.toFixed(1)).join(" ");
    for (const one of [svg, byId("over")]) one.setAttribute("viewBox", box);
    const zoom = within(Math.sqrt((map.typical * view.scale) / 20), 0.6, 3);
    for (const path of layer("ways").querySelectorAll("[data-wide]")) {
      path.style.strokeWidth = (1 + 0.4 * path.dataset.wide) * zoom;
    }
    layer("ways").classList.toggle("small", map.typical * view.scale < 36);
    drawNames();
  }

  // Shows a box (left, top, width, height) in the room that other things leave.
  function showBox([left, top, width, height], most) {
    const [below, beside] = view.width < 500 ? [50, 60] : [byId("legend").offsetHeight + 30, 110];
    const above = byId("chosen").offsetHeight + 30;
    const scale = Math.min((view.width - beside) / Math.max(1, width), (view.height - below - above) / Math.max(1, height), most);
    look({ x: left + width / 2, y: top + height / 2 + (below - above) / scale / 2, scale });
  }
  const showAll = () => showBox(map.view, Infinity);

  function showChosen() {
    const { x, y, width, height } = layer("chosen").getBBox();
    if (width + height) showBox([x, y, width, height], 250 / map.typical);
    else showAll();
  }

  function zoomAt(x, y, factor) {
    const [dx, dy] = [x - view.width / 2, y - view.height / 2];
    const moved = (1 - 1 / factor) / view.scale;
    look({ x: view.x + dx * moved, y: view.y + dy * moved, scale: view.scale * factor });
  }
  const pan = (dx, dy) => look({ x: view.x - dx / view.scale, y: view.y - dy / view.scale, scale: view.scale });

  // The way nearest to a point of the screen, within so many pixels; null if there is none.
  function wayAt(point, pixels) {
    const [x, y] = [view.x + (point.x - view.width / 2) / view.scale, view.y + (point.y - view.height / 2) / view.scale];
    let [best, nearest] = [pixels / view.scale, null];
    map.points.forEach((points, way) => {
      for (let p = 2; p < points.length; p += 2) {
        const [ax, ay] = [points[p - 2], points[p - 1]];
        const [dx, dy] = [points[p] - ax, points[p + 1] - ay];
        const at = Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / (dx * dx + dy * dy || 1)));
        const away = Math.hypot(x - ax - at * dx, y - ay - at * dy);
        if (away < best) [best, nearest] = [away, way];
      }
    });
    return nearest;
  }

  function hover(way, point) {
    const tip = byId("tip");
    tip.hidden = way === null;
    layer("hovered").replaceChildren(...(way === null ? [] : [make("path", { class: "way", d: lineOf(way) })]));
    if (way === null) return;
    const own = map.actions[way];
    const name = own.length > 1 ? wayName(way) : actions[own[0]];
    const costs = [...new Set(own.map((n) => number(part.costs[n])))].slice(0, 4).join(", ");
    tip.textContent = `${name}: cost ${costs}; on ${counted(uses[way], data.noun)}`;
    tip.style.left = `${Math.max(4, Math.min(point.x + 14, view.width - tip.offsetWidth - 4))}px`;
    tip.style.top = `${point.y > view.height - 60 ? point.y - 40 : point.y + 16}px`;
  }

  function startMap() {
    const pointers = new Map();
    let travelled = 0;
    const place = (event) => {
      const box = svg.getBoundingClientRect();
      return { x: event.clientX - box.left, y: event.clientY - box.top };
    };
    svg.addEventListener("pointerdown", (event) => {
      if (event.button > 0) return;
      svg.setPointerCapture(event.pointerId);
      if (!pointers.size) travelled = 0;
      pointers.set(event.pointerId, place(event));
    });
    svg.addEventListener("pointermove", (event) => {
      const [point, known] = [place(event), pointers.get(event.pointerId)];
      if (!known) {
        if (event.pointerType !== "touch") hover(wayAt(point, 8), point);
        return;
      }
      travelled += Math.hypot(point.x - known.x, point.y - known.y);
      const other = [...pointers].find(([id]) => id !== event.pointerId)?.[1];
      if (other) {
        const [before, after] = [known, point].map((one) => Math.hypot(one.x - other.x, one.y - other.y));
        if (before > 8) zoomAt((point.x + other.x) / 2, (point.y + other.y) / 2, after / before);
      } else if (travelled > 4) pan(point.x - known.x, point.y - known.y);
      pointers.set(event.pointerId, point);
    });
    svg.addEventListener("pointercancel", (event) => pointers.delete(event.pointerId));
    svg.addEventListener("pointerup", (event) => {
      if (!pointers.delete(event.pointerId) || travelled > 4) return;
      choose({ plan: null, way: wayAt(place(event), event.pointerType === "touch" ? 18 : 9) });
    });
    svg.addEventListener("pointerleave", () => hover(null));
    svg.addEventListener("wheel", (event) => {
      event.preventDefault();
      const { x, y } = place(event);
      zoomAt(x, y, Math.exp(-Math.max(-240, Math.min(240, event.deltaY)) * 0.002));
    }, { passive: false });
    const zoom = (factor) => () => zoomAt(view.width / 2, view.height / 2, factor);
    const keys = { "+": zoom(1.5), "=": zoom(1.5), "-": zoom(1 / 1.5), 0: showAll, ArrowLeft: () => pan(80, 0),
      ArrowRight: () => pan(-80, 0), ArrowUp: () => pan(0, 80), ArrowDown: () => pan(0, -80) };
    svg.addEventListener("keydown", (event) => {
      if (event.ctrlKey || event.metaKey || event.altKey || !(event.key in keys)) return;
      event.preventDefault();
      keys[event.key]();
    });
    for (const [id, act] of [["in", zoom(1.6)], ["out", zoom(1 / 1.6)], ["all", showAll]]) {
      byId(`zoom-${id}`).addEventListener("click", act);
    }
    if (window.innerWidth < 900) byId("legend").open = false;
    new ResizeObserver(() => {
      const isFirst = view.width === 1;
      [view.width, view.height] = [svg.clientWidth || 1, svg.clientHeight || 1];
      if (isFirst) showChosen();
      else look(view);
    }).observe(svg);
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
      drawWays();
      look(view);
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
