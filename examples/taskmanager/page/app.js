"use strict";

// The page talks to the API of its own origin only, and puts every text in as
// text: titles and answers are data, whatever they hold.

const $ = (id) => document.getElementById(id);
const state = { user: "", token: "", conversation: "", tasks: new Map(), demo: false, busy: false };

const make = (tag, className, text) => {
  const element = document.createElement(tag);
  if (className) element.className = className;
  if (text !== undefined) element.textContent = text;
  return element;
};

const ideas = [
  "delete Read book", "list my tasks", "add a task to buy milk due tomorrow",
  "set Review proposal priority to high", "mark Water the plants as done", "delete Call the dentist and add a task to call mom",
];

const faultNames = {
  "skip-tool": "does not call the tool at first", "skip-tool-twice": "never calls the tool", "ghost-success": "claims success, does nothing",
  "ghost-after-error": "claims success after an error", "invented-list": "makes the list up", "promise": "promises and stops",
  "leaked-call": "prints the call as text", "wrong-year": "dates from 2024", "bad-json": "broken arguments", "unknown-tool": "calls a tool that is not there",
  "uuid-leak": "shows ids", "double-call": "makes the same call twice", "partial": "does half, claims all (two requests)",
  "invented-error": "makes an error up", "read-loop": "reads again and again", "slow": "takes its time", "http-500": "its server fails",
};

const kinds = {
  understood: "Understood", called: "Model calls", said: "Model says", resolved: "Resolved", rewrote: "Rewrote", refused: "Refused",
  executed: "Ran", failed: "Failed", not_repeated: "Not run twice", judged: "Judged", asked_again: "Asked again", withheld: "Withheld", shown: "Shown to you",
};

async function start() {
  for (const idea of ideas) {
    const button = make("button", "", idea);
    button.type = "button";
    button.addEventListener("click", () => send(idea));
    $("ideas").append(button);
  }
  const response = await fetch("dev");
  if (!response.ok) return signIn();
  const dev = await response.json();
  state.demo = true;
  state.user = dev.user_id;
  state.token = dev.token;
  for (const fault of dev.faults) {
    const option = make("option", "", `${fault}: ${faultNames[fault] || ""}`);
    option.value = fault;
    $("fault").append(option);
  }
  $("fault").value = dev.picked?.[0] || "";
  $("fault").closest("label").hidden = dev.faults.length === 0;
  $("guard").checked = dev.guard;
  $("demo").hidden = false;
  await refresh();
  $("message").focus();
}

function signIn() {
  document.querySelector("main").hidden = true;
  $("signin").hidden = false;
  $("signin").addEventListener("submit", async (event) => {
    event.preventDefault();
    state.user = $("user").value.trim();
    state.token = $("token").value.trim();
    if (!(await refresh())) return;
    $("signin").hidden = true;
    document.querySelector("main").hidden = false;
    $("message").focus();
  });
}

const headers = () => ({ Authorization: `Bearer ${state.token}` });
const path = (rest) => `api/${encodeURIComponent(state.user)}/${rest}`;

// refresh reads the tasks and marks what has changed.
async function refresh() {
  const response = await fetch(path("tasks"), { headers: headers() });
  if (!response.ok) {
    toast((await problem(response)), false);
    return false;
  }
  const { tasks } = await response.json();
  const before = state.tasks;
  state.tasks = new Map(tasks.map((task) => [task.id, task.updated_at]));
  $("count").textContent = tasks.length ? `${tasks.length}` : "";
  $("tasks").replaceChildren(...(tasks.length ? tasks.map((task) => row(task, before)) : [make("li", "", "Nothing to do.")]));
  return true;
}

function row(task, before) {
  const item = make("li", task.status);
  item.dataset.title = task.title;
  if (before.size && before.get(task.id) !== task.updated_at) item.classList.add("changed");
  const mark = make("span", "mark", task.status === "completed" ? "✓" : "○");
  mark.setAttribute("role", "img");
  mark.setAttribute("aria-label", task.status);
  const title = make("bdi", "title", task.title);
  item.append(mark, title, make("span", `pill ${task.priority}`, task.priority));
  if (task.due_date) item.append(make("span", "due", `due ${task.due_date}`));
  return item;
}

async function problem(response) {
  try {
    return (await response.json()).detail || response.statusText;
  } catch {
    return response.statusText || "The server does not answer.";
  }
}

function say(who, text) {
  const message = make("article", `message ${who}`);
  message.setAttribute("aria-label", who === "user" ? "You" : "Task manager");
  const body = make("p", "text", text);
  body.dir = "auto";
  message.append(body);
  $("log").append(message);
  $("log").scrollTop = $("log").scrollHeight;
  return message;
}

function working(text) {
  $("progress").hidden = !text;
  $("progress").textContent = text;
}

const progressText = (p) => {
  if (p.event === "calling") return `calling ${p.tool}…`;
  if (p.event === "asking_again") return "asking again…";
  return "thinking…";
};

async function send(text) {
  if (state.busy || !text.trim()) return;
  state.busy = true;
  $("send").disabled = true;
  say("user", text);
  working("thinking…");
  try {
    const body = { message: text };
    if (state.conversation) body.conversation_id = state.conversation;
    if (state.demo) {
      body.guard = $("guard").checked;
      body.faults = $("fault").value ? [$("fault").value] : [];
    }
    const response = await fetch(path("chat"), {
      method: "POST",
      headers: { ...headers(), "Content-Type": "application/json", Accept: "text/event-stream", "Idempotency-Key": crypto.randomUUID() },
      body: JSON.stringify(body),
    });
    if (!response.ok) throw new Error(await problem(response));
    answer(await follow(response));
  } catch (error) {
    say("assistant error", error.message);
    toast(error.message, false);
  } finally {
    working("");
    state.busy = false;
    $("send").disabled = false;
    await refresh();
    $("message").focus();
  }
}

// follow reads the events of a turn and returns the reply at its end.
async function follow(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (;;) {
    const { done, value } = await reader.read();
    if (done) throw new Error("The connection was lost. Look at your tasks before you try again.");
    text += value;
    for (let end; (end = text.indexOf("\n\n")) >= 0; text = text.slice(end + 2)) {
      const event = /^event: (.*)$/m.exec(text.slice(0, end))?.[1];
      const data = /^data: (.*)$/m.exec(text.slice(0, end))?.[1];
      if (event === "progress") working(progressText(JSON.parse(data)));
      if (event === "problem") throw new Error(JSON.parse(data).detail);
      if (event === "reply") return JSON.parse(data);
    }
  }
}

function answer(reply) {
  state.conversation = reply.conversation_id;
  const message = say(reply.error ? "assistant error" : "assistant", reply.assistant_message);
  const withheld = reply.guard.timeline.filter((entry) => entry.kind === "withheld").length;
  if (reply.guard.unproven) message.append(make("span", "badge bad", `Nothing proves this: ${reply.guard.reason}`));
  if (withheld) message.append(make("span", "badge good", withheld === 1 ? "One unproven answer was withheld" : `${withheld} unproven answers were withheld`));
  message.append(timeline(reply));
  const action = reply.action_metadata;
  if (action && action.action !== "list_tasks") toast(action.message, action.success);
  $("log").scrollTop = $("log").scrollHeight;
}

function timeline(reply) {
  const fold = make("details");
  const { timeline: entries, enabled } = reply.guard;
  fold.append(make("summary", "", `${enabled ? "What the guard saw and did" : "What the guard saw; it is off"} (${entries.length})`));
  const list = make("ol", "timeline");
  for (const entry of entries) {
    const item = make("li", entry.kind);
    const what = make("bdi", "what", entry.text);
    item.append(make("span", "kind", `${kinds[entry.kind] || entry.kind}${entry.tool ? ` ${entry.tool}` : ""}`), entry.text ? ": " : "", what, make("span", "at", `${entry.at_ms} ms`));
    list.append(item);
  }
  fold.append(list);
  return fold;
}

function toast(text, success) {
  const note = make("div", success ? "toast" : "toast failed", text);
  $("toasts").append(note);
  setTimeout(() => note.remove(), 6000);
}

$("form").addEventListener("submit", (event) => {
  event.preventDefault();
  const text = $("message").value;
  $("message").value = "";
  send(text);
});

start();
