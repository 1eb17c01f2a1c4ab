"use strict";

// The page shows what the proxy tells it, and nothing is kept: everything comes
// again when the line was lost. All texts are put in as text, never as markup.

const states = {
  asking: ["asking the model", ""],
  calling: ["waiting for tools", ""],
  passed: ["passed", "good"],
  proved: ["passed with proof", "good"],
  mended: ["put right, then passed", "good"],
  cut: ["cut: unproven sentences left out", "warn"],
  doubted: ["would be asked for proof", "warn"],
  would: ["would not have passed", "bad"],
  refused: ["refused", "bad"],
  failed: ["the model’s server failed", "warn"],
  left: ["the client went away", ""],
  unjudged: ["not judged", ""],
};

const tiles = [
  ["turns", "", Object.keys(states)],
  ["passed", "good", ["passed"]],
  ["with proof or put right", "good", ["proved", "mended"]],
  ["cut", "warn", ["cut"]],
  ["would be asked for proof", "warn", ["doubted"]],
  ["would not have passed", "bad", ["would"]],
  ["refused", "bad", ["refused"]],
  ["failed, left or not judged", "", ["failed", "left", "unjudged"]],
];

const underWay = ["asking", "calling"]; // not counted by the proxy yet
const most = 200;
const turns = new Map(); // by id
const byID = (id) => document.getElementById(id);
let observing = true;

function element(name, text, kind) {
  const e = document.createElement(name);
  if (text) e.textContent = text;
  if (kind) e.className = kind;
  return e;
}

function found(turn) {
  return turn.would?.length > 0 || ["refused", "doubted", "would", "proved", "mended", "cut"].includes(turn.state);
}

function showTotals(totals) {
  const list = tiles.map(([name, kind, of]) => {
    let n = of.reduce((sum, state) => sum + (totals[state] || 0), 0);
    if (name === "turns") n += [...turns.values()].filter(({ turn }) => underWay.includes(turn.state)).length;
    const tile = element("li", "", n > 0 ? kind : "");
    tile.append(element("b", String(n)), element("span", name));
    tile.hidden = n === 0 && name !== "turns" && (observing ? ["refused", "with proof or put right", "cut", "failed, left or not judged"] : ["would be asked for proof", "would not have passed", "failed, left or not judged"]).includes(name);
    return tile;
  });
  byID("totals").replaceChildren(...list);
  const all = Number(list[0].querySelector("b").textContent);
  byID("older").textContent = all > turns.size ? `The latest ${turns.size} of ${all} turns are shown.` : "";
}

function callOf(call) {
  const fate = call.sight === "contradicted" ? "failed" : call.status;
  const good = { succeeded: "good", failed: "bad", denied: "bad" }[fate] || "";
  const mark = call.sight === "confirmed" ? "✓✓ " : { succeeded: "✓ ", failed: "✗ ", denied: "✗ " }[fate] || "";
  const chip = element("li", `${mark}${call.tool} ${call.args}`, `call ${good}`);
  chip.title = `${call.effect}, ${call.status}${call.sight ? `, ${call.sight} by a later read` : ""}`;
  return chip;
}

function proofOf(item) {
  const kept = item.status === "shown";
  const calls = item.calls?.length ? ` (call ${item.calls.map((n) => `#${n}`).join(", ")})` : "";
  const status = kept ? "" : `: ${item.status}`;
  return element("li", `${kept ? "✓" : "•"} ${item.what}${status}${calls}`, kept ? "" : "open");
}

function cardOf(turn, open) {
  const [word, kind] = states[turn.state] || [turn.state, ""];
  const card = element("li", "", `turn ${kind}`);
  card.dataset.id = turn.id;
  card.dataset.state = turn.state;
  card.hidden = filter() === "found" && !found(turn);
  const top = element("div", "", "top");
  const began = element("time", new Date(turn.began).toLocaleTimeString());
  began.dateTime = turn.began;
  top.append(element("span", word, `badge ${kind}`), began,
    element("span", `${turn.requests} ${turn.requests === 1 ? "request" : "requests"}`),
    element("span", `${turn.millis} ms`), element("span", [turn.owner !== "local" && turn.owner, turn.conversation].filter(Boolean).join(" · ")));
  card.append(top);
  if (turn.user) card.append(element("p", turn.user, "user"));
  if (turn.calls?.length) {
    const calls = element("ul", "", "calls");
    if (turn.more_calls) calls.append(element("li", `${turn.more_calls} earlier calls are not shown`, "call"));
    calls.append(...turn.calls.map(callOf));
    card.append(calls);
  }
  if (turn.text) {
    const text = element("p", turn.text, "text");
    text.dataset.who = turn.state === "refused" ? "Told instead" : "Model";
    card.append(text);
  }
  for (const would of turn.would || []) card.append(element("p", `Would be ${would}`, "would"));
  if (turn.proof?.length) {
    const proof = element("ul", "", "proof");
    proof.append(...turn.proof.map(proofOf));
    card.append(proof);
  }
  const plain = turn.steps?.length === 1 && turn.steps[0].text === turn.text;
  if (turn.steps?.length && !plain) card.append(stepsOf(turn, open));
  return card;
}

function stepsOf(turn, open) {
  const details = element("details");
  details.open = open;
  const steps = element("ol", "", "steps");
  if (turn.more_steps) steps.append(element("li", `${turn.more_steps} earlier steps are not shown`));
  steps.append(...turn.steps.map((s) => element("li", s.kind === "model" ? `model: ${s.text}` : s.text, s.kind)));
  details.append(element("summary", `How it went (${turn.steps.length + turn.more_steps})`), steps);
  return details;
}

function filter() {
  return document.querySelector("input[name=filter]:checked").value;
}

function show({ turn, totals }) {
  const before = turns.get(turn.id);
  const fallen = ["refused", "unjudged"].includes(turn.state) && before?.turn.state !== turn.state;
  const open = fallen || Boolean(before?.card.querySelector("details")?.open);
  const card = cardOf(turn, open);
  turns.set(turn.id, { turn, card });
  if (before) before.card.replaceWith(card);
  else byID("turns").prepend(card);
  while (turns.size > most) {
    const oldest = Math.min(...turns.keys());
    turns.get(oldest).card.remove();
    turns.delete(oldest);
  }
  showTotals(totals);
  byID("empty").hidden = true;
}

function introduce(about) {
  observing = !about.enforce;
  turns.clear();
  byID("turns").replaceChildren();
  const does = element("strong", about.enforce ? "acts on what it finds" : "watches and changes nothing");
  byID("about").replaceChildren("Hands on to ", element("strong", about.upstream), ", ", does, ".");
  showTotals({});
  const empty = byID("empty");
  empty.hidden = false;
  empty.replaceChildren("Nothing has passed yet. Point a client here: its base URL is ", element("code", `${about.base_url}/v1`),
    " for OpenAI’s interfaces and ", element("code", about.base_url), " for Anthropic’s. Requests that offer tools appear here.");
}

function connect() {
  const source = new EventSource("/bonafide/events");
  const line = (text, lost) => {
    byID("line").textContent = text;
    byID("line").classList.toggle("lost", lost);
  };
  source.addEventListener("about", (event) => {
    introduce(JSON.parse(event.data));
    line("Live", false);
  });
  source.onmessage = (event) => show(JSON.parse(event.data));
  source.onerror = () => line("The proxy does not answer; trying again…", true);
}

for (const choice of document.querySelectorAll("input[name=filter]")) {
  choice.addEventListener("change", () => {
    for (const { turn, card } of turns.values()) card.hidden = filter() === "found" && !found(turn);
  });
}
connect();
