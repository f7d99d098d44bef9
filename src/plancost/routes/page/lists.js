// The lists of trips and links, and what is said of the one that is chosen. Names are the
// user's: they get into the page by textContent only.
function make(tag, settings = {}, ...children) {
  const element = document.createElement(tag);
  for (const [name, value] of Object.entries(settings)) {
    if (name === "class") element.className = value;
    else if (name === "text") element.textContent = value;
    else if (name === "click") element.addEventListener("click", value);
    else element.setAttribute(name, value);
  }
  element.append(...children);
  return element;
}

const linkButton = (i) => make("button", { type: "button", class: "name", text: links.names[i], click: () => chooseLink(i, true) });
const tripButton = (t) => make("button", { type: "button", class: "name", text: trips.names[t], click: () => chooseTrip(t) });

const VERDICTS = ["not optimal", "optimal", "not checked"];
const verdictOf = (t) => Number(trips.verdict[t]);
const excess = (t) => (trips.best[t] === null || !trips.best[t] ? 0 : trips.cost[t] / trips.best[t] - 1);
const sentence = (t) => {
  const verdict = verdictOf(t);
  const other = trips.other[t];
  const [cost, best] = [trips.cost[t], trips.best[t]];
  if (verdict === 2) return `It costs ${costText(cost)}; whether a route costs less is not known.`;
  if (cost > best) return `It costs ${costText(cost)}, the cheapest route ${costText(best)}: ${percent(excess(t))} more than needed.`;
  if (other === null) return `It costs ${costText(cost)}, and there is no other route between its ends.`;
  if (other[0] === cost) return `It costs ${costText(cost)}, and so does another route: the two tie.`;
  return `It costs ${costText(cost)}. The cheapest alternative costs ${costText(other[0])}, ${percent(other[0] / cost - 1)} more.`;
};

const tripColumns = [
  { key: "trip", value: (t) => t, cell: (t) => make("td", {}, tripButton(t)) },
  { key: "links", value: (t) => trips.links[t].length, cell: (t) => make("td", { class: "number", text: number(trips.links[t].length) }) },
  { key: "cost", value: (t) => trips.cost[t], cell: (t) => make("td", { class: "number", text: plainCost(trips.cost[t]) }) },
  { key: "excess", value: excess, cell: (t) => make("td", { class: "number", text: excess(t) ? `+${percent(excess(t))}` : "" }) },
  { key: "verdict", value: verdictOf, cell: (t) => make("td", { class: `verdict-${verdictOf(t)}`, text: ["no", "yes", "?"][verdictOf(t)] }) },
];
const wayText = (i) => {
  const [from, to] = [places.names[links.from[i]], places.names[links.to[i]]];
  return from.length + to.length > 12 ? `${from} \u2192 ${to}` : `${from}\u00a0\u2192\u00a0${to}`;
};
const linkColumns = [
  { key: "link", value: (i) => i, cell: (i) => make("td", {}, linkButton(i)) },
  { key: "way", value: (i) => i, cell: (i) => make("td", { class: "way", text: wayText(i) }) },
  { key: "cost", value: (i) => links.cost[i], cell: (i) => make("td", { class: "number", text: plainCost(links.cost[i]) }) },
  { key: "ratio", value: (i) => Math.abs(Math.log(ratioOf(i))), cell: (i) => make("td", { class: "number", text: `\u00d7\u2009${number(Number(ratioOf(i).toPrecision(3)))}` }) },
  { key: "uses", value: (i) => links.uses[i], cell: (i) => make("td", { class: "number", text: number(links.uses[i]) }) },
];

// A table of which only the first rows are in the page, with a button for more.
function list(name, count, columns, matches, sorted) {
  const table = byId(`${name}-table`);
  const body = table.tBodies[0];
  const heads = [...table.tHead.rows[0].cells];
  const more = byId(`${name}-more`);
  const used = heads.map((head) => columns.find((one) => one.key === head.dataset.key));
  let order = sorted;
  let items = [];
  let shown = 0;
  function add(upTo) {
    for (; shown < Math.min(upTo, items.length); shown += 1) {
      const item = items[shown];
      const line = make("tr", {}, ...used.map((one) => one.cell(item)));
      line.addEventListener("click", (event) => {
        if (!event.target.closest("button")) line.querySelector("button").click();
      });
      body.append(line);
    }
    more.hidden = shown >= items.length;
    more.textContent = `Show more (${number(items.length - shown)} left)`;
  }
  function show() {
    const wanted = byId(`${name}-search`).value.toLowerCase().split(/\s+/).filter(Boolean);
    const kind = byId(`${name}-filter`).value;
    items = [];
    for (let n = 0; n < count; n += 1) if (matches(n, wanted, kind)) items.push(n);
    const { value } = columns.find((one) => one.key === order.key);
    const sign = order.down ? -1 : 1;
    items.sort((a, b) => sign * (value(a) - value(b)) || a - b);
    const exact = items.findIndex((n) => data[`${name}s`].names[n].toLowerCase() === wanted.join(" "));
    if (wanted.length && exact > 0) items.unshift(...items.splice(exact, 1));
    shown = 0;
    body.replaceChildren();
    add(30);
    byId(`${name}-count`).textContent = items.length === count ? counted(count, name) : `${number(items.length)} of ${counted(count, name)}`;
    for (const head of heads) {
      if (head.dataset.key === order.key) head.setAttribute("aria-sort", order.down ? "descending" : "ascending");
      else head.removeAttribute("aria-sort");
    }
  }
  for (const head of heads) {
    head.firstElementChild.addEventListener("click", () => {
      const column = head.dataset.key;
      order = { key: column, down: order.key === column ? !order.down : column !== name };
      show();
    });
  }
  more.addEventListener("click", () => add(shown + 200));
  byId(`${name}-search`).addEventListener("input", show);
  byId(`${name}-search`).addEventListener("keydown", (event) => {
    if (event.key === "Enter" && items.length) body.querySelector("button").click();
  });
  byId(`${name}-filter`).addEventListener("change", show);
  show();
}

const lower = (names) => names.map((name) => name.toLowerCase());
const [tripNames, linkNames, placeNames] = [lower(trips.names), lower(links.names), lower(places.names)];
const groupNames = trips.groups && trips.groups.map((group) => (group || "").toLowerCase());

function tripMatches(t, wanted, kind) {
  if (kind !== "" && trips.verdict[t] !== kind) return false;
  return wanted.every((word) => tripNames[t].includes(word) || (groupNames && groupNames[t].includes(word)));
}

function linkMatches(i, wanted, kind) {
  if (kind === "driven" && !links.uses[i]) return false;
  if (kind === "free" && !isFree(i)) return false;
  if (kind === "cheaper" && Number(links.class[i]) >= 3) return false;
  if (kind === "dearer" && Number(links.class[i]) <= 3) return false;
  return wanted.every((word) => linkNames[i].includes(word)
    || placeNames[links.from[i]].includes(word) || placeNames[links.to[i]].includes(word));
}

function names(some, most) {
  const shown = some.slice(0, most).flatMap((i) => [linkButton(i), " "]);
  return make("span", { class: "names" }, ...shown, some.length > most ? `and ${number(some.length - most)} more` : "");
}

function partItem(part) {
  const side = (what, some, cost) => make("p", { class: what },
    make("b", { text: what === "driven" ? "driven " : "alternative " }),
    some.length ? `cost ${costText(cost)}, ${counted(some.length, "link")}: ` : "nothing",
    ...(some.length ? [names(some, 12)] : []));
  const where = part.start === part.last ? `at ${places.names[part.start]}`
    : `from ${places.names[part.start]} to ${places.names[part.last]}`;
  return make("li", {},
    make("button", { type: "button", class: "where", text: where, click: () => reveal([...part.driven, ...part.other]) }),
    side("driven", part.driven, part.cost), side("other", part.other, part.otherCost));
}

function whyWords(t) {
  const why = trips.why[t];
  if (why === null) return [];
  const [reason, others] = why;
  const words = {
    redundant: "It drives links that it could leave out, so no costs make it optimal.",
    "never optimal": "No costs make it optimal, even without the other trips.",
    "not proven": "Whether other costs would make it optimal as well is not known.",
    "in conflict": "It cannot be optimal together with all of these trips: ",
  };
  const text = make("p", { text: words[reason] || "" });
  if (reason === "in conflict") for (const other of others) text.append(tripButton(other), " ");
  return [text];
}

function tripWords(t) {
  const count = trips.counts && trips.counts[t] > 1 ? `, driven ${number(trips.counts[t])} times` : "";
  const group = trips.groups && trips.groups[t] ? `, ${trips.groups[t]}` : "";
  const route = trips.links[t];
  const ways = route.length ? `From ${places.names[links.from[route[0]]]} to ${places.names[links.to[route[route.length - 1]]]}, ` : "";
  const content = [
    make("p", { class: "soft", text: `${ways}${counted(route.length, "link")}${count}${group}` }),
    make("p", { text: sentence(t) }), ...whyWords(t)];
  if (trips.learned[t] === "0") content.push(make("p", { class: "soft", text: "The costs were not learned from this trip." }));
  if (data.turns) content.push(make("p", { class: "soft", text: "Turns cost something beside links; below are the costs of links." }));
  if (chosen.parts.length) {
    content.push(
      make("p", { class: "key" }, make("span", { class: "line driven" }), "driven ", make("span", { class: "line other" }), "cheapest alternative"),
      make("h3", { text: chosen.parts.length === 1 ? "Where they part" : `Where they part (${chosen.parts.length} times)` }),
      make("ol", { class: "parts" }, ...chosen.parts.map(partItem)));
  }
  return content;
}

function freedomWords(i) {
  if (links.least === null) return null;
  if (links.least[i] === 0) return "on optimal trips";
  if (links.least[i] === 1) return "nothing: whatever it costs, the same trips are optimal";
  return `at least ${costText(links.least[i])}; for less, a way over it would beat an optimal trip`;
}

const both = (cost) => (unit === null ? number(cost) : `${costText(cost)} (${number(cost)})`);

function linkWords(i) {
  const rows = [["from", places.names[links.from[i]]], ["to", places.names[links.to[i]]], ["learned cost", both(links.cost[i])]];
  if (links.initial !== null && links.initial[i] !== null) {
    rows.push(["initial cost", both(links.initial[i])]);
    rows.push(["learned over initial", `\u00d7\u2009${number(Number(ratioOf(i).toPrecision(4)))}`]);
  }
  if (links.ranges !== null && links.ranges[i]) rows.push(["can be, at the same total", links.ranges[i]]);
  for (const [name, values] of links.columns) rows.push([name, number(values[i])]);
  const over = tripsOver(i);
  rows.push(["trips over it", number(links.uses[i])]);
  const determined = freedomWords(i);
  if (determined) rows.push(["by optimal trips", determined]);
  const content = [make("dl", {}, ...rows.map(([name, value]) => make("div", {}, make("dt", { text: name }), make("dd", { text: value }))))];
  if (over.length) {
    content.push(make("p", { class: "names" }, make("b", { text: "trips " }), ...over.slice(0, 20).flatMap((t) => [tripButton(t), " "]),
      over.length > 20 ? `and ${number(over.length - 20)} more` : ""));
  }
  return content;
}
