import { expect, test } from "vitest";
import { sdkPrompt } from "./model-prompt.ts";

const call = (input: string) =>
  sdkPrompt([{ role: "assistant", content: [{ type: "tool_call", toolCallId: "c1", toolName: "pay", input }] }])[0]
    ?.content[0];

test("a model is shown its proposed arguments with all digits", () => {
  expect(call('{"id":9007199254740993,"amount":0.1}')).toMatchObject({
    input: { id: "9007199254740993", amount: 0.1 },
  });
});

test.each(["[1]", "{", '"text"', ""])(
  "arguments %j, which are not an object, are shown as an empty object",
  (input) => {
    expect(call(input)).toMatchObject({ input: {} });
  },
);
