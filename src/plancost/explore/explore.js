// The panel "Ask again". The server's state is fetched again and again; a new answer loads the page
// anew. Names are the user's: they get into the page by textContent only.
(() => {
  const data = JSON.parse(document.getElementById("data").textContent);
  const own = data.explore;
  const byId = (id) => document.getElementById(id);
  const KEPT = ["ask-action", "ask-least", "ask-greatest", "ask-problem", "ask-plan"];
  const GONE = "The server has ended: nothing is answered here any more. Start plancost explore again.";
  let state = null;
  let failures = 0;
  let isGone = false;
  let timer = 0;

  function make(tag, text = "", ...children) {
    const element = document.createElement(tag);
    element.textContent = text;
    element.append(...children);
    return element;
  }

  function button(text, action) {
    const found = make("button", text);
    found.type = "button";
    found.className = "chip";
    found.addEventListener("click", action);
    return found;
  }

  // The server

  function gone() {
    isGone = true;
    clearTimeout(timer);
    byId("ask").classList.add("gone");
    byId("ask-status").textContent = GONE;
    for (const found of document.querySelectorAll("#ask button, .ask-plan button")) found.disabled = true;
  }

  async function fetched(path, settings = {}) {
    const response = await fetch(path, { cache: "no-store", signal: AbortSignal.timeout(10000), ...settings });
    if (!response.ok && response.status !== 409) throw new Error(String(response.status));
    return response.json();
  }

  async function look() {
    clearTimeout(timer);
    try {
      show(await fetched("state"));
      failures = 0;
    } catch {
      failures += 1;
      if (failures >= 2) { gone(); return; }
    }
    if (!isGone) timer = setTimeout(look, state && state.running ? 250 : 1000);
  }

  async function ask(words) {
    if (isGone || !state) return;
    try {
      const body = JSON.stringify({ version: state.version, ...words });
      const answer = await fetched("ask", { method: "POST", headers: { "Content-Type": "application/json" }, body });
      if (answer.error) {
        byId("ask-refusal").replaceChildren(make("li", answer.error));
        return;
      }
      show(answer);
      look();
    } catch {
      gone();
    }
  }

  // What is kept when the page is loaded anew

  function keep() {
    const values = Object.fromEntries(KEPT.map((id) => [id, byId(id).value]));
    sessionStorage.setItem("ask", JSON.stringify({ values, scroll: window.scrollY }));
  }

  function restore() {
    const kept = JSON.parse(sessionStorage.getItem("ask") || "null");
    sessionStorage.removeItem("ask");
    if (!kept) return;
    for (const id of KEPT) if (kept.values[id]) byId(id).value = kept.values[id];
    window.scrollTo(0, kept.scroll);
  }

  // The state

  function show(found) {
    state = found;
    if (found.answer !== own.answer && !found.running) {
      keep();
      window.location.reload();
      return;
    }
    byId("ask-status").textContent = status(found);
    byId("ask-undo").disabled = !found.canUndo;
    byId("ask-stop").disabled = !found.running;
    byId("ask-more").disabled = found.running || found.now.final;
    byId("ask-more").textContent = `More time (${own.more} s)`;
    byId("ask-refusal").replaceChildren(...found.refusal.map((words) => make("li", words)));
    byId("ask-question").replaceChildren(...found.question.map((item, n) => make("li",
      `${item.what} ${item.words} `, button("Take back", () => ask({ do: "take back", item: n })))));
    showNumbers(found);
    showChanges(found);
    showProgress(found);
    showReasons(found.why);
    byId("ask-command").textContent = found.command;
  }

  function status(found) {
    if (found.running) return `At work: ${found.elapsed} of ${found.limit} s`;
    if (!found.isAnswered) return "Stopped: the numbers below are of the question before.";
    if (found.refusal.length) return "There is no answer:";
    if (!found.now.verified) return "Out of time: not everything is checked.";
    if (!found.now.final) return "Out of time: this is the best so far, and not all is proven.";
    return found.warming ? "Ready (the learner is looking around meanwhile)." : "Ready: all is proven.";
  }

  function showNumbers(found) {
    byId("ask-secondary").textContent = found.secondary;
    const rows = [["as learned", found.original], ["before", found.before], ["now", found.now]];
    byId("ask-numbers").tBodies[0].replaceChildren(...rows.map(([name, numbers]) => {
      const head = make("th", name);
      head.scope = "row";
      return make("tr", "", head,
        make("td", numbers.plans, make("small", numbers.plansProof)),
        make("td", numbers.secondary, make("small", numbers.secondaryProof)));
    }));
  }

  function showChanges({ changes }) {
    const items = changes.lost.map((item) => make("li", item.against.length
      ? `${item.plan} is no longer optimal: in conflict with ${item.against.join(", ")}`
      : `${item.plan} is no longer optimal`));
    items.push(...changes.won.map((plan) => make("li", `${plan} is optimal now`)));
    items.push(...changes.costs.map((item) => make("li", `${item.action}: ${item.before} \u2192 ${item.now}`)));
    const shown = items.length;
    const { lost, won, costs } = changes.counts;
    if (lost + won + costs > shown) items.push(make("li", `... and ${lost + won + costs - shown} more changes`));
    byId("ask-changes").replaceChildren(...items);
  }

  function showProgress({ moments, running }) {
    const last = moments[moments.length - 1];
    byId("ask-progress").textContent = running && last ? `${last.stage}: ${last.words || `${last.done} of ${last.total}`}` : "";
    const first = moments.filter((moment) => moment.stage === "first objective");
    const chart = byId("ask-chart");
    chart.toggleAttribute("hidden", first.length < 2);
    if (first.length < 2) return;
    const end = Math.max(last.s, 0.1);
    const most = Math.max(...first.map((moment) => moment.total), 1);
    const at = (s, n) => `${(400 * s / end).toFixed(1)},${(76 - 72 * n / most).toFixed(1)}`;
    chart.replaceChildren(...["best", "bound"].map((kind) => {
      const value = (moment) => (kind === "best" ? moment.done : moment.total);
      const points = first.flatMap((moment, n) => [
        ...(n ? [at(moment.s, value(first[n - 1]))] : []), at(moment.s, value(moment))]);
      points.push(at(end, value(first[first.length - 1])));
      const line = document.createElementNS("http://www.w3.org/2000/svg", "polyline");
      line.setAttribute("class", kind);
      line.setAttribute("points", points.join(" "));
      return line;
    }));
  }

  function showReasons(why) {
    if (!why) { byId("ask-reasons").replaceChildren(); return; }
    const words = why.words || ["..."];
    const items = words.map((sentence, n) => make("li", n ? sentence : `${why.name}: ${sentence}`));
    if (why.rival) items.push(make("li", `a cheapest plan: ${why.rival.join(" ")}`));
    byId("ask-reasons").replaceChildren(...items);
  }

  // Questions

  function chooseCost(row) {
    const cell = row.querySelector("td.action");
    if (!cell) return;
    const n = data.actions.indexOf(cell.textContent);
    byId("ask-action").value = data.actions[n];
    byId("ask-least").value = byId("ask-greatest").value = data.costs[n];
    byId("ask-cost").scrollIntoView({ block: "center" });
    byId("ask-greatest").focus();
  }

  byId("cost-table").tBodies[0].addEventListener("click", (event) => {
    const row = event.target.closest("tr");
    if (row) chooseCost(row);
  });
  byId("ask-cost").addEventListener("submit", (event) => {
    event.preventDefault();
    const action = data.actions.indexOf(byId("ask-action").value.trim());
    if (action < 0) {
      byId("ask-refusal").replaceChildren(make("li", "There is no such action; choose one from the table."));
      return;
    }
    const value = (id) => (byId(id).value === "" ? null : Number(byId(id).value));
    ask({ do: "bound", action, least: value("ask-least"), greatest: value("ask-greatest") });
  });
  byId("ask-why").addEventListener("submit", (event) => {
    event.preventDefault();
    ask({ do: "why", problem: Number(byId("ask-problem").value), text: byId("ask-plan").value });
  });
  byId("ask-undo").addEventListener("click", () => ask({ do: "undo" }));
  byId("ask-stop").addEventListener("click", () => ask({ do: "stop" }));
  byId("ask-more").addEventListener("click", () => ask({ do: "more" }));

  // Every plan in the list gets its own buttons when it is opened.
  byId("plan-list").addEventListener("toggle", (event) => {
    const inside = event.target.querySelector(".inside");
    if (!event.target.open || !inside || inside.querySelector(".ask-plan")) return;
    const plan = own.plans.indexOf(data.plans[Number(event.target.id.slice(5)) - 1].name);
    const row = make("div", "",
      button("Leave it out", () => ask({ do: "drop", plan })),
      button("Demand that it be optimal", () => ask({ do: "require", plan })),
      button("Why not this?", () => { byId("ask-why").scrollIntoView(); ask({ do: "why", plan }); }));
    row.className = "ask-plan";
    inside.prepend(row);
  }, true);

  own.problems.forEach((name, n) => {
    const option = make("option", name);
    option.value = n;
    byId("ask-problem").append(option);
  });
  if (data.actions.length <= 2000) {
    byId("ask-actions").append(...data.actions.map((name) => {
      const option = make("option");
      option.value = name;
      return option;
    }));
  }
  restore();
  look();
})();
