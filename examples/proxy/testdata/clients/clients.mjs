// Small tool loops as people write them, with the clients that people use. Started
// as: node clients.mjs CLIENT URL…  For each URL, whole and streamed, it prints one
// line of JSON: the text at the end, what the tool was run on, or the error.

const schema = { type: "object", properties: { title: { type: "string" } }, required: ["title"], additionalProperties: false };
const description = "Delete a task.";
const message = "delete Read book";
const apiKey = "sk-test-0123456789abcdef0123456789abcdef";

const loops = {
  async "openai-chat"(url, stream, run) {
    const { default: OpenAI } = await import("openai");
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey });
    const tools = [{ type: "function", function: { name: "delete_task", description, parameters: schema } }];
    const messages = [{ role: "user", content: message }];
    for (;;) {
      const body = { model: "sim", messages, tools };
      const completion = stream
        ? await client.chat.completions.stream(body).finalChatCompletion()
        : await client.chat.completions.create(body);
      const said = completion.choices[0].message;
      if (!said.tool_calls?.length) return said.content;
      messages.push(said);
      for (const call of said.tool_calls) {
        messages.push({ role: "tool", tool_call_id: call.id, content: run(JSON.parse(call.function.arguments)) });
      }
    }
  },

  async "openai-responses"(url, stream, run) {
    const { default: OpenAI } = await import("openai");
    const client = new OpenAI({ baseURL: `${url}/v1`, apiKey });
    const tools = [{ type: "function", name: "delete_task", description, parameters: schema, strict: true }];
    const input = [{ role: "user", content: message }];
    for (;;) {
      const body = { model: "sim", input, tools, store: false };
      const response = stream ? await client.responses.stream(body).finalResponse() : await client.responses.create(body);
      const calls = response.output.filter((item) => item.type === "function_call");
      if (calls.length === 0) return response.output.flatMap((item) => item.content ?? []).map((part) => part.text).join("");
      for (const { call_id, name, arguments: args } of calls) {
        input.push({ type: "function_call", call_id, name, arguments: args });
        input.push({ type: "function_call_output", call_id, output: run(JSON.parse(args)) });
      }
    }
  },

  async "ai-chat"(url, stream, run) {
    return aiLoop(url, stream, run, (provider) => provider.chat("sim"));
  },

  async "ai-responses"(url, stream, run) {
    return aiLoop(url, stream, run, (provider) => provider.responses("sim"));
  },

  async langchain(url, stream, run) {
    const { ChatOpenAI } = await import("@langchain/openai");
    const { HumanMessage, ToolMessage } = await import("@langchain/core/messages");
    const { concat } = await import("@langchain/core/utils/stream");
    const chat = new ChatOpenAI({ model: "sim", apiKey, configuration: { baseURL: `${url}/v1` } });
    const bound = chat.bindTools([{ type: "function", function: { name: "delete_task", description, parameters: schema } }]);
    const messages = [new HumanMessage(message)];
    for (;;) {
      let said;
      if (stream) {
        for await (const piece of await bound.stream(messages)) said = said ? concat(said, piece) : piece;
      } else {
        said = await bound.invoke(messages);
      }
      if (!said.tool_calls?.length) return said.text ?? said.content;
      messages.push(said);
      for (const call of said.tool_calls) messages.push(new ToolMessage({ tool_call_id: call.id, content: run(call.args) }));
    }
  },

  async anthropic(url, stream, run) {
    const { default: Anthropic } = await import("@anthropic-ai/sdk");
    const client = new Anthropic({ baseURL: url, apiKey });
    const tools = [{ name: "delete_task", description, input_schema: schema }];
    const messages = [{ role: "user", content: message }];
    for (;;) {
      const body = { model: "sim", max_tokens: 1024, messages, tools };
      const said = stream ? await client.messages.stream(body).finalMessage() : await client.messages.create(body);
      const calls = said.content.filter((block) => block.type === "tool_use");
      if (calls.length === 0) return said.content.map((block) => block.text).join("");
      messages.push({ role: "assistant", content: said.content });
      messages.push({ role: "user", content: calls.map((call) => ({ type: "tool_result", tool_use_id: call.id, content: run(call.input) })) });
    }
  },

  async gemini(url, stream, run) {
    const { GoogleGenAI } = await import("@google/genai");
    const client = new GoogleGenAI({ apiKey, httpOptions: { baseUrl: url } });
    const config = { tools: [{ functionDeclarations: [{ name: "delete_task", description, parametersJsonSchema: schema }] }] };
    const contents = [{ role: "user", parts: [{ text: message }] }];
    for (;;) {
      const parts = [];
      if (stream) {
        for await (const piece of await client.models.generateContentStream({ model: "sim", contents, config })) {
          parts.push(...(piece.candidates?.[0]?.content?.parts ?? []));
        }
      } else {
        parts.push(...(await client.models.generateContent({ model: "sim", contents, config })).candidates[0].content.parts);
      }
      const calls = parts.filter((part) => part.functionCall).map((part) => part.functionCall);
      if (calls.length === 0) return parts.map((part) => part.text ?? "").join("");
      contents.push({ role: "model", parts });
      contents.push({ role: "user", parts: calls.map(({ id, name, args }) => ({ functionResponse: { id, name, response: { output: run(args) } } })) });
    }
  },

  async ollama(url, stream, run) {
    const { Ollama } = await import("ollama");
    const client = new Ollama({ host: url });
    const tools = [{ type: "function", function: { name: "delete_task", description, parameters: schema } }];
    const messages = [{ role: "user", content: message }];
    for (;;) {
      let said = { role: "assistant", content: "", tool_calls: [] };
      if (stream) {
        for await (const piece of await client.chat({ model: "sim", messages, tools, stream })) {
          said.content += piece.message.content;
          said.tool_calls.push(...(piece.message.tool_calls ?? []));
        }
      } else {
        said = (await client.chat({ model: "sim", messages, tools })).message;
      }
      if (!said.tool_calls?.length) return said.content;
      messages.push(said);
      for (const call of said.tool_calls) {
        messages.push({ role: "tool", tool_name: call.function.name, content: run(call.function.arguments) });
      }
    }
  },
};

async function aiLoop(url, stream, run, choose) {
  const { generateText, streamText, stepCountIs, tool, jsonSchema } = await import("ai");
  const { createOpenAI } = await import("@ai-sdk/openai");
  const options = {
    model: choose(createOpenAI({ baseURL: `${url}/v1`, apiKey })),
    prompt: message,
    tools: { delete_task: tool({ description, inputSchema: jsonSchema(schema), execute: async (input) => run(input) }) },
    stopWhen: stepCountIs(5),
    providerOptions: { openai: { store: false } },
  };
  if (!stream) return (await generateText(options)).text;
  let failure;
  const result = streamText({ ...options, onError: ({ error }) => { failure = error; } });
  let text = "";
  for await (const piece of result.textStream) text += piece;
  if (failure) throw failure;
  return text;
}

// innermost finds what the server said in an error that others have wrapped.
function innermost(error) {
  return [error?.message, error?.responseBody, error?.lastError?.message, error?.cause?.message, JSON.stringify(error?.error ?? null)].filter(Boolean).join(" | ");
}

const [client, ...urls] = process.argv.slice(2);
for (const url of urls) {
  for (const stream of [false, true]) {
    const ran = [];
    const run = ({ title }) => { ran.push(title); return JSON.stringify({ success: true }); };
    const line = { url, stream, ran, text: "", error: "" };
    try {
      line.text = await loops[client](url, stream, run);
    } catch (error) {
      line.error = innermost(error);
    }
    console.log(JSON.stringify(line));
  }
}
