"use strict";
// Fills the lists of the report on demand. Names are the user's: they get into the page
// by textContent only.
function begin(data) {
  const byId = (id) => document.getElementById(id);
  const count = (n, word) => `${n.toLocaleString("en")} ${word}${n === 1 ? "" : "s"}`;

  function make(tag, settings = {}, ...children) {
    const element = document.createElement(tag);
    for (const [name, value] of Object.entries(settings)) {
      if (name === "class") element.className = value;
      else if (name === "text") element.textContent = value;
      else element.setAttribute(name, value);
    }
    element.append(...children);
    return element;
  }

  // A list of which only the first part is in the page, and a button for more of it.
  function longList(button, first, next, draw) {
    let items = [];
    let shown = 0;
    function more(number) {
      const upTo = Math.min(items.length, Math.max(shown, number));
      for (; shown < upTo; shown += 1) draw(items[shown]);
      button.hidden = shown >= items.length;
      button.textContent = `Show more (${(items.length - shown).toLocaleString("en")} left)`;
    }
    button.addEventListener("click", () => more(shown + next));
    return {
      set(newItems) { items = newItems; shown = 0; more(first); },
      reveal(item) {
        const place = items.indexOf(item);
        if (place >= 0) more(place + 1);
        return place >= 0;
      },
    };
  }

  // Costs

  const change = (n) => data.costs[n] - data.initial[n];
  const values = {
    action: (n) => n,  // the actions are sorted by name
    cost: (n) => data.costs[n],
    initial: (n) => data.initial[n],
    change,
    range: (n) => Number.parseInt(data.ranges[n], 10),
    mean: (n) => data.uncertainty.mean[n],
    sd: (n) => data.uncertainty.sd[n],
    uncertainty: (n) => data.uncertainty.sd[n],  // sorted by how uncertain they are
    uses: (n) => data.uses[n],
  };
  const table = byId("cost-table");
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  let sorting = { key: "cost", down: true };

  function costCell(key, n) {
    if (key === "action") return make("td", { class: "action", text: data.actions[n] });
    const cell = make("td", { class: "number", text: values[key](n) });
    if (key === "range") cell.textContent = data.ranges[n];
    if (key === "uncertainty") cell.textContent = data.uncertainty.words[n];
    if (["mean", "sd", "uncertainty"].includes(key) && !data.uncertainty.observed[n]) cell.classList.add("faint");
    if (key === "change") {
      const difference = change(n);
      cell.textContent = difference > 0 ? `+${difference}` : difference < 0 ? `\u2212${-difference}` : "";
      if (difference) cell.classList.add(difference > 0 ? "up" : "down");
    }
    return cell;
  }

  const costList = longList(byId("cost-more"), 25, 200, (n) => {
    body.append(make("tr", {}, ...heads.map((head) => costCell(head.dataset.key, n))));
  });

  function showCosts() {
    const words = byId("cost-search").value.toLowerCase().split(/\s+/).filter(Boolean);
    const schema = byId("cost-schema").value;
    const found = [];
    data.actions.forEach((name, n) => {
      if (schema && data.schemas[data.schema[n]] !== schema) return;
      if (words.every((word) => name.includes(word))) found.push(n);
    });
    const value = values[sorting.key];
    const sign = sorting.down ? -1 : 1;
    found.sort((a, b) => sign * (value(a) - value(b)) || a - b);
    body.replaceChildren();
    costList.set(found);
    byId("cost-count").textContent = found.length === data.actions.length
      ? "" : `${found.length.toLocaleString("en")} of ${count(data.actions.length, "action")}`;
    for (const head of heads) {
      if (head.dataset.key !== sorting.key) head.removeAttribute("aria-sort");
      else head.setAttribute("aria-sort", sorting.down ? "descending" : "ascending");
    }
  }

  for (const head of heads) {
    head.firstElementChild.addEventListener("click", () => {
      const { key } = head.dataset;
      sorting = { key, down: sorting.key === key ? !sorting.down : key !== "action" };
      showCosts();
    });
  }
  for (const schema of data.schemas) {
    byId("cost-schema").append(make("option", { value: schema, text: schema }));
  }
  byId("cost-search").addEventListener("input", showCosts);
  byId("cost-schema").addEventListener("change", showCosts);

  // One plan

  function step(action, kind) {
    return make("td", { class: kind },
      make("span", { class: "price", text: data.costs[action] }), data.actions[action]);
  }

  const EQUAL_SHOWN = 6;  // longer stretches in which two plans agree are cut short

  function comparison(plan) {
    const rows = make("tbody");
    const beside = (from, to, otherFrom, otherTo) => {
      for (let i = 0; i < Math.max(to - from, otherTo - otherFrom); i += 1) {
        rows.append(make("tr", {},
          from + i < to ? step(plan.steps[from + i], "own") : make("td"),
          otherFrom + i < otherTo ? step(plan.rival[otherFrom + i], "other") : make("td")));
      }
    };
    let [at, other] = [0, 0];
    for (const [start, otherStart, size] of plan.same) {
      beside(at, start, other, otherStart);
      const cut = size > EQUAL_SHOWN;
      for (let i = 0; i < size; i += 1) {
        if (cut && i === 2) {
          const words = `${size - 4} more steps alike`;
          rows.append(make("tr", {}, make("td", { class: "gap", colspan: 2, text: words })));
        }
        if (cut && i >= 2 && i < size - 2) continue;
        rows.append(make("tr", {},
          step(plan.steps[start + i], "equal"), step(plan.rival[otherStart + i], "equal")));
      }
      [at, other] = [start + size, otherStart + size];
    }
    beside(at, plan.steps.length, other, plan.rival.length);
    const head = make("tr", {},
      make("th", { scope: "col", text: `observed, cost ${plan.cost}` }),
      make("th", { scope: "col", text: `alternative, cost ${plan.rivalCost}` }));
    return make("table", { class: "steps compared" }, make("thead", {}, head), rows);
  }

  function stepList(plan) {
    const rows = plan.steps.map((action) => make("tr", {}, step(action, "")));
    const head = make("tr", {}, make("th", { scope: "col", text: `observed, cost ${plan.cost}` }));
    if (!rows.length) rows.push(make("tr", {}, make("td", { text: "(no step)" })));
    return make("table", { class: "steps" }, make("thead", {}, head), make("tbody", {}, ...rows));
  }

  function fill(inside, plan, number) {
    const words = plan.words.map((sentence) => make("li", { text: sentence }));
    if (plan.rivalWords) words.unshift(make("li", { text: plan.rivalWords }));
    inside.append(make("ul", {}, ...words), plan.rival ? comparison(plan) : stepList(plan));
    if (plan.route) {
      const button = make("button", { type: "button", class: "chip", text: "Show on the map" });
      button.addEventListener("click", () => {
        choose(number);
        byId("map").scrollIntoView();
      });
      inside.append(button);
    }
  }

  function planItem(number) {
    const plan = data.plans[number - 1];
    const times = plan.count > 1 ? `, seen ${plan.count} times` : "";
    const kind = plan.optimal ? "yes" : plan.optimal === false ? "no" : "unknown";
    const words = { yes: plan.near ? "near enough" : "optimal", no: "not optimal", "no (tied)": "not optimal (tied)", unknown: "not checked" };
    const cheapest = plan.best === null || plan.best === plan.cost ? "" : `, cheapest ${plan.best}`;
    const summary = make("summary", {},
      make("span", { class: "who" }, `${number}\u2002${plan.name} `,
        make("small", { text: `${plan.problem}${times}` })),
      make("span", { text: `cost ${plan.cost}${cheapest}` }),
      make("span", { class: `verdict-${kind}`, text: words[plan.verdict] }));
    const inside = make("div", { class: "inside" });
    const details = make("details", { id: `plan-${number}` }, summary, inside);
    details.addEventListener("toggle", () => {
      if (!details.open) return;
      if (!inside.hasChildNodes()) fill(inside, plan, number);
      choose(number);
    });
    byId("plan-list").append(make("li", {}, details));
  }

  // All plans

  const planList = longList(byId("plan-more"), 30, 100, planItem);

  function showPlans() {
    const words = byId("plan-search").value.toLowerCase().split(/\s+/).filter(Boolean);
    const wanted = byId("plan-filter").value;
    const found = [];
    data.plans.forEach((plan, n) => {
      if (wanted === "yes" && plan.optimal !== true) return;
      if (wanted === "no" && plan.optimal !== false) return;
      const text = `${plan.name} ${plan.problem}`.toLowerCase();
      if (words.every((word) => text.includes(word))) found.push(n + 1);
    });
    byId("plan-list").replaceChildren();
    planList.set(found);
    byId("plan-count").textContent = found.length === data.plans.length
      ? count(found.length, "plan")
      : `${found.length.toLocaleString("en")} of ${count(data.plans.length, "plan")}`;
  }

  function openPlan(number) {
    if (!planList.reveal(number)) {
      byId("plan-search").value = "";
      byId("plan-filter").value = "";
      showPlans();
      planList.reveal(number);
    }
    const details = byId(`plan-${number}`);
    if (!details) return;
    details.open = true;
    details.scrollIntoView();
    details.firstElementChild.focus();
  }

  byId("plan-search").addEventListener("input", showPlans);
  byId("plan-filter").addEventListener("change", showPlans);
  byId("main").addEventListener("click", (event) => {
    const link = event.target.closest("a[data-plan]");
    if (!link) return;
    event.preventDefault();
    openPlan(Number(link.dataset.plan));
  });

  // The map

  const figure = byId("picture");
  let chosen = null;

  function shape(tag, settings) {
    const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [name, value] of Object.entries(settings)) element.setAttribute(name, value);
    return element;
  }

  function drawRoute(stops, kind, settings) {
    const { spots, line, end } = data.map;
    const at = stops.map((stop) => spots[stop]);
    const group = shape("g", { class: kind });
    group.append(shape("polyline", { points: at.map((spot) => spot.join(",")).join(" "), ...settings }));
    if (kind.startsWith("plan")) {
      const [first, last] = [at[0], at[at.length - 1]];
      group.append(
        shape("circle", { class: "goal", cx: last[0], cy: last[1], r: end, "stroke-width": line }),
        shape("circle", { class: "start", cx: first[0], cy: first[1], r: end * 0.8 }));
    }
    return group;
  }

  function choose(number) {
    if (!figure) return;
    chosen = number;
    const group = figure.querySelector(".chosen");
    group.replaceChildren();
    figure.classList.toggle("choosing", number !== null);
    for (const route of figure.querySelectorAll(".route")) {
      route.classList.toggle("out", Number(route.dataset.plan) === number);  // drawn anew below
    }
    for (const chip of figure.querySelectorAll(".chip")) {
      chip.setAttribute("aria-pressed", String(Number(chip.dataset.plan) === number));
    }
    const select = byId("map-plan");
    if (select) select.value = number === null ? "" : String(number);
    const status = byId("map-status");
    status.replaceChildren();
    if (number === null) return;
    const plan = data.plans[number - 1];
    const colour = data.map.coloured[number];
    const wide = data.map.line + 1;
    group.append(drawRoute(plan.route, colour ? `plan route-${colour}` : "plan", { "stroke-width": wide }));
    if (plan.rivalRoute) {
      group.append(drawRoute(plan.rivalRoute, "rival", { "stroke-width": wide / 2, "stroke-dasharray": "6 5" }));
    }
    const rival = plan.rivalRoute ? `; the dashed alternative costs ${plan.rivalCost}` : "";
    const verdict = plan.optimal ? "optimal" : plan.optimal === false ? "not optimal" : "not checked";
    status.append(`Plan ${number}, ${plan.name}: cost ${plan.cost}, ${verdict}${rival}. `,
      make("a", { href: `#plan-${number}`, "data-plan": number, text: "Its steps" }));
  }

  if (figure) {
    zoomable(figure);
    for (const chip of figure.querySelectorAll(".chip")) {
      const number = Number(chip.dataset.plan);
      chip.addEventListener("click", () => choose(chosen === number ? null : number));
    }
    const select = byId("map-plan");
    if (select) {
      data.plans.forEach((plan, n) => {
        select.append(make("option", { value: n + 1, text: `${n + 1} ${plan.name}` }));
      });
      select.addEventListener("change", () => choose(select.value ? Number(select.value) : null));
    }
  }

  showCosts();
  showPlans();
  return openPlan;
}
