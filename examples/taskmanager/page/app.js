"use strict";

// The page talks to the API of its own origin only, and puts every text in as
// text: titles and answers are data, whatever they hold.

const $ = (id) => document.getElementById(id);
const state = {
  user: "", token: "", demo: false, busy: false, online: true,
  conversation: "", turns: [], tasks: [], stamps: new Map(), said: [], caught: false,
};

const make = (tag, className, text) => {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
};

const button = (className, text, click) => {
  const element = make("button", className, text);
  element.type = "button";
  element.addEventListener("click", click);
  return element;
};

const kinds = {
  understood: "Understood", called: "Model calls", said: "Model says", resolved: "Resolved", rewrote: "Rewrote", refused: "Refused",
  executed: "Ran", failed: "Failed", not_repeated: "Not run twice", judged: "Judged", asked_again: "Asked again", asked_for_proof: "Asked for proof",
  proof: "Model cites", withheld: "Withheld", shown: "Shown to you",
};

// ?approver is the page of a second person, who decides and does not chat.
const approving = new URLSearchParams(location.search).has("approver");

// --- beginning

async function start() {
  let response;
  try {
    response = await fetch(approving ? "dev?approver" : "dev");
  } catch {
    state.online = false;
    return header();
  }
  if (!response.ok) return signIn();
  const dev = await response.json();
  Object.assign(state, { demo: true, user: dev.user_id, token: dev.token });
  for (const fault of dev.faults) {
    const option = make("option", "", dev.fault_words[fault] || fault);
    option.value = fault;
    $("fault").append(option);
  }
  recall();
  $("fault").value = state.fault ?? dev.picked?.[0] ?? dev.faults[0] ?? "";
  $("fault").closest("label").hidden = dev.faults.length === 0;
  $("guard").checked = state.guarded ?? dev.guard;
  $("demo").hidden = false;
  await begin();
}

// begin shows what was said before a reload, or the staged lie.
async function begin() {
  header();
  if (state.user === "approver") {
    document.querySelector(".chat").hidden = true;
    document.querySelector("main").classList.add("deciding");
    $("tasks-title").hidden = $("tasks").hidden = $("fresh").hidden = $("demo").hidden = true;
  }
  inbox();
  if (state.demo && state.turns.length === 0) await showStage();
  for (const turn of state.turns) show(turn);
  await refresh();
  $("message").focus();
  const open = state.turns.find((turn) => !turn.reply && !turn.refused);
  if (open) settle(open);
}

function signIn() {
  const inside = (hidden) => document.querySelectorAll("main section").forEach((section) => { section.hidden = hidden; });
  inside(true);
  $("signin").hidden = false;
  header();
  $("signin").addEventListener("submit", async (event) => {
    event.preventDefault();
    state.user = $("user").value.trim();
    state.token = $("token").value.trim();
    if (!(await refresh())) return;
    recall();
    $("signin").hidden = true;
    inside(false);
    await begin();
  });
}

// --- what outlives a reload

const shelf = () => `bonafide.taskmanager.${state.user}`;
const keptTurns = 30;

function keep() {
  const turns = state.turns.slice(-keptTurns).map(({ text, key, body, reply, refused, again, later }) => ({ text, key, body, reply, refused, again, later }));
  try {
    localStorage.setItem(shelf(), JSON.stringify({ conversation: state.conversation, turns, fault: $("fault").value, guarded: $("guard").checked }));
  } catch { /* no room, or not allowed: a reload then forgets */ }
}

function recall() {
  try {
    const kept = JSON.parse(localStorage.getItem(shelf()));
    if (Array.isArray(kept?.turns)) Object.assign(state, kept);
  } catch { /* nothing that can be read */ }
}

// --- the header says what holds now, not what usually holds

function header() {
  const unknown = state.turns.some((turn) => turn.unknown);
  let [kind, text] = ["on", "Guard on: what it says is checked against its calls."];
  if (state.demo && !$("guard").checked) [kind, text] = ["off", "Guard off: what it says may be untrue."];
  if (unknown) [kind, text] = ["unknown", "It is not known whether the last message was carried out."];
  else if (!state.online) [kind, text] = ["offline", "The server does not answer."];
  $("header").dataset.state = kind;
  $("fresh").textContent = state.online ? "Read from the database after every answer." : "As it was before the server fell silent.";
  if ($("motto").textContent !== text) $("motto").textContent = text;
}

// --- the staged lie

async function showStage() {
  const response = await fetch("dev/stage").catch(() => null);
  if (!response?.ok) return;
  const staged = await response.json();
  const panel = make("section", "stage");
  panel.setAttribute("aria-label", "The same request without and with the guard");
  panel.append(make("h2", "", "One lying model, one request"), make("p", "lead", `You: “${staged.message}”`));
  const sides = make("div", "sides");
  for (const side of staged.sides) sides.append(stagedSide(side));
  panel.append(sides, make("p", "note", "This was really played a moment ago, on a list of its own. Below it is your turn: the model will lie to you, too."));
  $("log").append(panel);
}

function stagedSide({ guard, response, rows, lies }) {
  const card = make("article", `side ${guard ? "good" : "bad"}`);
  card.append(make("h3", "", guard ? "With the guard" : "Without the guard"));
  if (guard) {
    const steps = make("ol", "timeline");
    for (const entry of response.guard.timeline.filter((e) => ["withheld", "asked_again", "executed"].includes(e.kind))) steps.append(step(entry.kind === "asked_again" ? { ...entry, text: "" } : entry, false));
    card.append(steps);
  }
  card.append(make("p", "text", response.assistant_message), make("p", "rows", `Database: ${rows}.`));
  if (guard) card.append(chips(response));
  for (const lie of lies) card.append(make("p", "verdict bad", `✗ ${lie}`));
  if (!lies.length) card.append(make("p", "verdict good", "✓ what you see is true"));
  return card;
}

// --- tasks

const headers = () => ({ Authorization: `Bearer ${state.token}` });
const path = (rest) => `api/${encodeURIComponent(state.user)}/${rest}`;

// refresh reads the tasks, marks what has changed, and offers things to say.
async function refresh() {
  let response;
  try {
    response = await fetch(path("tasks"), { headers: headers() });
    state.online = true;
  } catch {
    state.online = false;
    header();
    return false;
  }
  header();
  if (!response.ok) {
    toast(await problem(response), false);
    return false;
  }
  list((await response.json()).tasks);
  return true;
}

function list(tasks) {
  const before = state.stamps;
  state.tasks = tasks;
  state.stamps = new Map(tasks.map((task) => [task.id, task.updated_at]));
  $("count").textContent = tasks.length ? `${tasks.length}` : "";
  $("tasks").replaceChildren(...(tasks.length ? tasks.map((task) => row(task, before)) : [make("li", "", "Nothing to do.")]));
  suggest();
}

function row(task, before) {
  const item = make("li", task.status);
  item.dataset.title = task.title;
  if (before.size && before.get(task.id) !== task.updated_at) item.classList.add("changed");
  const mark = make("span", "mark", task.status === "completed" ? "✓" : "○");
  mark.setAttribute("role", "img");
  mark.setAttribute("aria-label", task.status);
  item.append(mark, make("bdi", "title", task.title), make("span", `pill ${task.priority}`, task.priority));
  if (task.due_date) item.append(make("span", "due", `due ${task.due_date}`));
  return item;
}

// suggest offers what can be said about the list as it is now. Nothing is offered
// while a message may or may not have been carried out: its repeat under another
// key would be another message.
function suggest() {
  if (state.turns.some((turn) => turn.unknown)) return $("ideas").replaceChildren();
  const open = state.tasks.filter((task) => task.status === "pending" && task.title.length < 40);
  const [first, second, third] = open.map((task) => task.title);
  const last = state.turns.at(-1)?.reply;
  const changed = last?.records.some((record) => record.status === "succeeded" && record.tool !== "list_tasks");
  const ideas = [
    ...choices(last), last?.approvals && "never mind", changed && "what did you do?", first && `delete ${first}`, second && `mark ${second} as done`,
    state.tasks.some((task) => task.status === "completed") && "delete all completed tasks", third && first && `delete ${third} and add a task to call mom`, "how many tasks do I have?", "add a task to buy milk due tomorrow", "list my tasks",
  ];
  $("ideas").replaceChildren(...ideas.filter(Boolean).slice(0, 4).map((idea) => button("", idea, () => send(idea))));
}

async function problem(response) {
  try {
    return (await response.json()).detail || response.statusText;
  } catch {
    return response.statusText || "The server does not answer.";
  }
}

// --- what waits for a person

const polling = 2000; // milliseconds
let waited = new Set();

// inbox shows what waits, as long as the page is open. When a call of one's own does not
// wait any more, what came of it is asked for.
async function inbox() {
  for (;;) {
    await readInbox();
    await new Promise((resolve) => setTimeout(resolve, polling));
  }
}

async function readInbox() {
  const response = await fetch(path("approvals"), { headers: headers() }).catch(() => null);
  if (!response?.ok) return;
  const { approvals } = await response.json();
  const now = new Set(approvals.map((a) => a.id));
  const settled = [...waited].some((id) => !now.has(id));
  const list = $("approvals");
  for (const card of [...list.children]) if (!now.has(card.dataset.id)) card.remove();
  for (const a of approvals) if (!waited.has(a.id)) list.append(card(a));
  waited = now;
  $("waiting").textContent = approvals.length ? `${approvals.length}` : "";
  $("quiet").hidden = approvals.length > 0;
  $("inbox").hidden = approvals.length === 0 && state.user !== "approver";
  if (settled && state.conversation) await outcome();
}

// outcome shows what the assistant has said since the turn went on.
async function outcome() {
  const response = await fetch(path(`conversations/${state.conversation}`), { headers: headers() }).catch(() => null);
  if (!response?.ok) return;
  const { assistant_message: text } = await response.json();
  const turn = state.turns.at(-1);
  if (turn?.reply?.approvals && text && text !== turn.reply.assistant_message && turn.later !== text) {
    turn.later = text;
    article("assistant", text);
    keep();
  }
  await refresh();
}

// card is one call that waits: who asked, exactly what would run, and what can be decided.
function card(a) {
  const item = make("li", "approval");
  item.dataset.id = a.id;
  const name = `arguments-${a.id}`;
  const exact = make("textarea", "exact", JSON.stringify(a.arguments, null, 1));
  Object.assign(exact, { id: name, readOnly: true, rows: Math.min(8, exact.value.split("\n").length), spellcheck: false });
  const label = make("label", "", `${a.tool}, asked by ${a.own ? "you" : a.owner}`);
  label.htmlFor = name;
  const reason = make("input", "reason");
  Object.assign(reason, { id: `reason-${a.id}`, placeholder: "Reason", maxLength: 500 });
  reason.setAttribute("aria-label", `Reason for the decision about: ${a.summary}`);
  const actions = make("div", "actions");
  const answer = (approve) => decide(a, item, approve, exact, reason);
  const edit = button("plain", "Edit", () => { exact.readOnly = false; edit.remove(); exact.focus(); });
  actions.append(button("yes", "Approve", () => answer(true)), edit, button("plain no", "Reject", () => answer(false)));
  item.append(make("p", "summary", a.summary), label, exact, reason, actions);
  if (a.expires_at) item.append(make("p", "note", `Can be decided until ${a.expires_at.slice(0, 16).replace("T", " ")} UTC.`));
  return item;
}

async function decide(a, item, approve, exact, reason) {
  const body = { owner: a.owner, approve, reason: reason.value };
  if (approve && !exact.readOnly) {
    try {
      body.arguments = JSON.parse(exact.value);
    } catch {
      return toast("The arguments are no JSON object.", false);
    }
  }
  for (const control of item.querySelectorAll("button")) control.disabled = true;
  const response = await fetch(path(`approvals/${encodeURIComponent(a.id)}`), {
    method: "POST", headers: { ...headers(), "Content-Type": "application/json" }, body: JSON.stringify(body),
  }).catch(() => null);
  if (!response?.ok) toast(response ? await problem(response) : "The server does not answer; what you decided may not have arrived.", false);
  else toast(approve ? "Approved." : "Rejected.", true);
  for (const control of item.querySelectorAll("button")) control.disabled = false;
  await readInbox();
}

// --- the conversation

function show(turn) {
  article("user", turn.text);
  if (turn.reply) {
    answer(turn);
    if (turn.later) article("assistant", turn.later);
    return;
  }
  if (turn.refused) turn.node = article("assistant error", turn.refused);
}

function article(who, text) {
  const message = make("article", `message ${who}`);
  message.setAttribute("aria-label", who === "user" ? "You" : "Task manager");
  const body = make("p", "text", text);
  body.dir = "auto";
  message.append(body);
  $("log").append(message);
  down();
  return message;
}

// down shows the last turn, from what was said to the end if there is room for it. What stands
// at the top begins there: no message is cut.
function down() {
  const log = $("log");
  const parts = [...log.children];
  const last = parts.findLast((part) => part.classList.contains("user"));
  if (!last) return;
  log.style.paddingBottom = "";
  if (getComputedStyle(log).overflowY === "visible") return last.scrollIntoView({ block: "start" }); // the page scrolls
  const style = getComputedStyle(log);
  const top = (part) => part.offsetTop - log.offsetTop - parseFloat(style.rowGap);
  const end = log.scrollHeight - log.clientHeight;
  if (end <= 0) return;
  const first = Math.min(top(parts.find((part) => top(part) >= end) ?? last), top(last));
  if (first > end) log.style.paddingBottom = `${parseFloat(style.paddingTop) + first - end}px`;
  log.scrollTop = first;
}

new ResizeObserver(down).observe(document.querySelector(".dock")); // its size is the log's

function working(text) {
  $("progress").hidden = !text;
  $("progress").textContent = text;
}

const progressText = (p) => {
  if (p.event === "calling") return `calling ${p.tool}…`;
  if (p.event === "asking_again") return "the guard asks again…";
  if (p.event === "asking_for_proof") return "the guard asks what that rests on…";
  return "thinking…";
};

async function send(text) {
  text = text.trim();
  if (state.busy || !text) return;
  const body = { message: text };
  if (state.demo) {
    body.guard = $("guard").checked;
    body.faults = $("fault").value ? [$("fault").value] : [];
  }
  const turn = { text, body, key: crypto.randomUUID() };
  state.turns.push(turn);
  state.said.push(text);
  show(turn);
  await settle(turn);
}

// settle sends a message until it is known what became of it. Its key names it:
// however often it is sent, what was done is not done twice.
async function settle(turn) {
  if (state.busy) return;
  state.busy = true;
  $("send").disabled = true;
  keep();
  working("thinking…");
  try {
    turn.reply = await ask(turn);
    turn.unknown = false;
    state.conversation = turn.reply.conversation_id;
    turn.node?.remove();
    answer(turn, true);
  } catch (error) {
    if (error.final) refused(turn, error.message);
    else unknown(turn);
  } finally {
    working("");
    state.busy = false;
    $("send").disabled = false;
    keep();
    header();
    await refresh();
    if (!document.querySelector("dialog[open]")) $("message").focus({ preventScroll: true });
  }
}

// final marks an error after which nothing was done: the request was refused
// before anything ran.
const final = (text) => Object.assign(new Error(text), { final: true });

async function ask(turn) {
  if (state.conversation) turn.body.conversation_id ??= state.conversation;
  const response = await fetch(path("chat"), {
    method: "POST",
    headers: { ...headers(), "Content-Type": "application/json", Accept: "text/event-stream", "Idempotency-Key": turn.key },
    body: JSON.stringify(turn.body),
  });
  if (!response.ok) {
    const text = await problem(response);
    throw response.status < 500 && response.status !== 409 ? final(text) : new Error(text);
  }
  return follow(response, turn);
}

// follow reads the events of a turn and returns the reply at its end.
async function follow(response, turn) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) throw new Error("The connection was lost.");
    text += value;
    for (let end; (end = text.indexOf("\n\n")) >= 0; text = text.slice(end + 2)) {
      const event = /^event: (.*)$/m.exec(text.slice(0, end))?.[1];
      const data = /^data: (.*)$/m.exec(text.slice(0, end))?.[1];
      if (event === "progress") working(progressText(JSON.parse(data)));
      if (event === "reply") return JSON.parse(data);
      if (event === "problem") {
        const { status, detail } = JSON.parse(data);
        if (status === 404 && turn.body.conversation_id) { // the server has another database now
          state.conversation = "";
          delete turn.body.conversation_id;
          turn.key = crypto.randomUUID();
          return ask(turn);
        }
        throw status < 500 && status !== 409 ? final(detail) : new Error(detail);
      }
    }
  }
}

function refused(turn, text) {
  turn.refused = text;
  turn.unknown = false;
  turn.node?.remove();
  turn.node = article("assistant error", text);
}

// unknown says the truth about a message whose answer never came, and finds out.
function unknown(turn) {
  turn.unknown = true;
  turn.again = true;
  if (!turn.node?.isConnected) {
    turn.node = article("assistant unknown", "The connection broke. It is not known whether this was carried out.");
    turn.node.append(make("p", "note", "Trying again is safe: the message keeps its key, and what was done is not done twice."),
      button("plain", "Try again", () => settle(turn)));
    down();
  }
  header();
  suggest();
  watch(turn);
}

// watch waits for the server and then asks again.
async function watch(turn) {
  if (turn.watched) return;
  turn.watched = true;
  for (let i = 0; i < 200 && turn.unknown; i++) {
    await new Promise((resolve) => setTimeout(resolve, 1500));
    const healthy = await fetch("healthz").then((response) => response.ok, () => false);
    if (healthy && turn.unknown && !state.busy) {
      if (state.demo) { // a server that was started anew has new secrets
        const dev = await fetch("dev").then((response) => response.json(), () => null);
        if (dev?.token) state.token = dev.token;
      }
      await settle(turn);
    }
  }
  turn.watched = false;
}

function answer(turn, fresh) {
  const reply = turn.reply;
  const message = article(reply.error ? "assistant error" : "assistant", reply.assistant_message);
  const withheld = reply.guard.timeline.filter((entry) => entry.kind === "withheld").length;
  const proofs = chips(reply);
  if (proofs.childElementCount) message.append(proofs);
  if (reply.guard.unproven) message.append(make("span", "badge bad", "Nothing proves this"));
  if (withheld) message.append(make("span", "badge good", withheld === 1 ? "One unproven answer was withheld" : `${withheld} unproven answers were withheld`));
  if (reply.approvals) {
    message.append(make("span", "badge wait", "A person has to approve this"));
    readInbox();
  }
  if (turn.again) message.append(make("span", "badge", "Sent again with the same key: nothing was done twice"));
  const fold = timeline(reply);
  if (withheld && !state.caught) {
    fold.open = true; // the first lie that is caught tells its story by itself
    state.caught = true;
  }
  message.append(fold);
  const action = reply.action_metadata;
  const told = action && action.action !== "list_tasks" && !reply.approvals && !choices(reply).length;
  if (fresh && told) toast(action.message, action.success);
  down();
}

// choices are the titles between which an answer asks to choose. That is a question, and no
// failure of anything.
const choices = (reply) => /\?$/m.test(reply?.assistant_message ?? "")
  ? [...reply.assistant_message.matchAll(/^\d+\. "(.+)"$/gm)].map((found) => found[1]) : [];

// chips are what an answer rests on. Each opens the ledger's record.
function chips(reply) {
  const group = make("div", "chips");
  group.setAttribute("role", "group");
  group.setAttribute("aria-label", "What this rests on");
  for (const item of reply.proof) {
    const records = reply.records.filter((record) => item.records.includes(record.number));
    if (!records.length) {
      group.append(make("span", "chip none", `– ${item.what}: ${item.status.replaceAll("_", " ")}`));
      continue;
    }
    for (const record of records) {
      const good = record.status === "succeeded";
      group.append(button(`chip ${good ? "good" : "none"}`, `${good ? (record.seen ? "✓✓" : "✓") : "–"} ${record.tool}${record.subject ? ` “${record.subject}”` : ""}`, () => open(record, item)));
    }
  }
  return group;
}

function open(record, item) {
  $("record-title").textContent = `Record #${record.number} of the ledger`;
  const facts = [
    ["Call", record.tool], ["Task", record.subject], ["Arguments", record.arguments], ["Result", record.status], ["Reason", record.reason],
    ["Asked for", record.asked_for && `by the guard: ${record.asked_for}`], ["Began", `${record.began_at.slice(0, 19).replace("T", " ")} UTC`], ["Took", record.took_ms ? `${record.took_ms} ms` : "less than 1 ms"],
    ["Shows", item.stated ? `${item.what}: ${item.status} (cited by the model, checked by code)` : "what the answer says (found by the guard)"],
  ];
  $("record-facts").replaceChildren(...facts.filter(([, value]) => value).flatMap(([name, value]) => [make("dt", "", name), make("dd", "", value)]));
  $("record").showModal();
}

function timeline(reply) {
  const fold = make("details");
  const { timeline: entries, enabled } = reply.guard;
  fold.append(make("summary", "", `${enabled ? "What the guard saw and did" : "What the guard saw; it is off"} (${entries.length})`));
  const list = make("ol", "timeline");
  for (const entry of entries) list.append(step(entry, true));
  fold.append(list);
  return fold;
}

function step(entry, timed) {
  const item = make("li", entry.kind);
  item.append(make("span", "kind", `${kinds[entry.kind] || entry.kind}${entry.tool ? ` ${entry.tool}` : ""}`), entry.text ? ": " : "", make("bdi", "what", entry.text));
  if (timed) item.append(make("span", "at", `${entry.at_ms} ms`));
  return item;
}

function toast(text, success) {
  const note = make("div", success ? "toast" : "toast failed", text);
  $("toasts").append(note);
  setTimeout(() => note.remove(), 5000);
}

// --- what people press

$("form").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = $("message").value;
  if (state.busy) return;
  $("message").value = "";
  send(text);
});

// The arrow keys bring back what was said before.
let recalled = 0;
$("message").addEventListener("keydown", (event) => {
  if (event.key !== "ArrowUp" && event.key !== "ArrowDown") { recalled = 0; return; }
  event.preventDefault();
  recalled = Math.min(Math.max(recalled + (event.key === "ArrowUp" ? 1 : -1), 0), state.said.length);
  $("message").value = recalled ? state.said.at(-recalled) : "";
});

document.addEventListener("keydown", (event) => {
  const free = !event.ctrlKey && !event.metaKey && !event.altKey && !/^(input|select|textarea)$/i.test(event.target.tagName);
  if (event.key === "/" && free && !document.querySelector("dialog[open]")) {
    event.preventDefault();
    $("message").focus();
  }
});

for (const id of ["guard", "fault"]) $(id).addEventListener("change", () => { keep(); header(); });

$("over").addEventListener("click", async () => {
  if (state.busy) return;
  const response = await fetch(path("reset"), { method: "POST", headers: headers() }).catch(() => null);
  if (!response?.ok) {
    state.online = Boolean(response);
    header();
    return toast("The server does not answer.", false);
  }
  Object.assign(state, { conversation: "", turns: [], caught: false, stamps: new Map() });
  $("log").replaceChildren();
  keep();
  header();
  await showStage();
  list((await response.json()).tasks);
  $("message").focus();
});

window.addEventListener("online", () => { if (state.token) refresh(); });

start();
