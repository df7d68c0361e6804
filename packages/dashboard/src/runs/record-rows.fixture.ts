/* The rows of a record with every type of entry, as the engine writes them. */

export const runId = "run_1";

export const rows = [
  {
    seq: 1,
    body: String.raw`[1795379596271,{"type":"started","facts":{"procedureId":"p","procedureVersion":"1","environment":"live","startedBy":"ana"},"/input":{"order":{"payee":"Acme","amount":5,"lines":[{"a/b":null,"text":"Invoice INV-7 of Acme GmbH for EUR 125.00, due on Friday, to be paid from the main account."}]},"note":"Invoice INV-7 of Acme GmbH for EUR 125.00, due on Friday, to be paid from the main account."}},{"type":"branch_taken","afterMs":1,"nodeId":"size","to":"pay"},{"type":"intent","afterMs":8,"nodeId":"pay","frozen":{"connection":"bank","connectionId":"con_1","action":"pay","revision":"YvsbdiRz","effect":"once"},"/frozen/args":{"order":null,"note":"x"},"refs":{"/frozen/args/order":"1/0/input/order"}}]`,
    entries: [
      {
        type: "started",
        atMs: 1795379596271,
        input: {
          order: {
            payee: "Acme",
            amount: 5,
            lines: [
              {
                "a/b": null,
                text: "Invoice INV-7 of Acme GmbH for EUR 125.00, due on Friday, to be paid from the main account.",
              },
            ],
          },
          note: "Invoice INV-7 of Acme GmbH for EUR 125.00, due on Friday, to be paid from the main account.",
        },
        facts: {
          runId: "run_1",
          procedureId: "p",
          procedureVersion: "1",
          environment: "live",
          startedBy: "ana",
          createdAt: "2026-11-22T20:33:16.271Z",
        },
      },
      { type: "branch_taken", atMs: 1795379596272, nodeId: "size", visit: 1, to: "pay" },
      {
        type: "intent",
        atMs: 1795379596280,
        nodeId: "pay",
        visit: 1,
        call: 1,
        attempt: 1,
        sendByMs: 1795379601280,
        timeoutMs: 60000,
        frozen: {
          connection: "bank",
          connectionId: "con_1",
          action: "pay",
          revision: "YvsbdiRz",
          effect: "once",
          args: {
            order: {
              payee: "Acme",
              amount: 5,
              lines: [
                {
                  "a/b": null,
                  text: "Invoice INV-7 of Acme GmbH for EUR 125.00, due on Friday, to be paid from the main account.",
                },
              ],
            },
            note: "x",
          },
        },
        key: "VftdzATkl8yCsK43FDi2Llr3ZzwwnxmK",
      },
    ],
  },
  {
    seq: 2,
    body: String.raw`[1795379596471,{"type":"outcome","result":{"status":"failed","message":"refused","retryable":true}},{"type":"intent","afterMs":100,"nodeId":"pay","attempt":2,"sendByMs":1795379605271,"timeoutMs":1000,"frozen":{"connection":"ledger","action":"book"},"/frozen/args":{"note":"Invoice INV-7 of Acme GmbH for EUR 125.00, due on Friday, to be paid from the main account."}}]`,
    entries: [
      {
        type: "outcome",
        atMs: 1795379596471,
        nodeId: "pay",
        visit: 1,
        call: 1,
        attempt: 1,
        result: { status: "failed", message: "refused", retryable: true },
      },
      {
        type: "intent",
        atMs: 1795379596571,
        nodeId: "pay",
        visit: 1,
        call: 1,
        attempt: 2,
        sendByMs: 1795379605271,
        timeoutMs: 1000,
        frozen: {
          connection: "ledger",
          connectionId: "ledger",
          action: "book",
          revision: "YvsbdiRz",
          effect: "once",
          args: { note: "Invoice INV-7 of Acme GmbH for EUR 125.00, due on Friday, to be paid from the main account." },
        },
        key: "VftdzATkl8yCsK43FDi2Llr3ZzwwnxmK",
      },
    ],
  },
  {
    seq: 3,
    body: String.raw`[1795379596671,{"type":"outcome","exchange":{"request":{"method":"POST"},"response":{"status":200}},"/exchange/request/body":"x","/exchange/response/body":"Invoice INV-7 of Acme GmbH for EUR 125.00, due on Friday, to be paid from the main account.","refs":{"/result/output/order":"1/0/input/order"}},{"type":"prompted","afterMs":1,"nodeId":"agent","visit":2,"turn":1,"added":[{"role":"user"}],"refs":{"/added/0/text":"3/0/exchange/response/body"}},{"type":"replied","afterMs":1,"nodeId":"agent","turn":1,"result":{"status":"ok","reply":{"content":[{"type":"text"}],"usage":{"inputTokens":5}}},"/result/reply/content/0/text":"Pay it."},{"type":"concluded","afterMs":1,"nodeId":"agent","/text":"Paid."}]`,
    entries: [
      {
        type: "outcome",
        atMs: 1795379596671,
        nodeId: "pay",
        visit: 1,
        call: 1,
        attempt: 2,
        result: {
          status: "ok",
          output: {
            order: {
              payee: "Acme",
              amount: 5,
              lines: [
                {
                  "a/b": null,
                  text: "Invoice INV-7 of Acme GmbH for EUR 125.00, due on Friday, to be paid from the main account.",
                },
              ],
            },
          },
        },
        exchange: {
          request: { method: "POST", body: "x" },
          response: {
            status: 200,
            body: "Invoice INV-7 of Acme GmbH for EUR 125.00, due on Friday, to be paid from the main account.",
          },
        },
      },
      {
        type: "prompted",
        atMs: 1795379596672,
        nodeId: "agent",
        visit: 2,
        turn: 1,
        added: [
          {
            role: "user",
            text: "Invoice INV-7 of Acme GmbH for EUR 125.00, due on Friday, to be paid from the main account.",
          },
        ],
      },
      {
        type: "replied",
        atMs: 1795379596673,
        nodeId: "agent",
        visit: 1,
        turn: 1,
        result: { status: "ok", reply: { content: [{ type: "text", text: "Pay it." }], usage: { inputTokens: 5 } } },
      },
      { type: "concluded", atMs: 1795379596674, nodeId: "agent", visit: 1, text: "Paid." },
    ],
  },
  {
    seq: 4,
    body: String.raw`[1795379596771,{"type":"review_opened","nodeId":"ask","review":{"reviewId":"rev_1","title":"Pay?","digest":"g"},"refs":{"/review/data/order":"1/0/input/order"}}]`,
    entries: [
      {
        type: "review_opened",
        atMs: 1795379596771,
        nodeId: "ask",
        visit: 1,
        review: {
          reviewId: "rev_1",
          title: "Pay?",
          data: {
            order: {
              payee: "Acme",
              amount: 5,
              lines: [
                {
                  "a/b": null,
                  text: "Invoice INV-7 of Acme GmbH for EUR 125.00, due on Friday, to be paid from the main account.",
                },
              ],
            },
          },
          digest: "g",
        },
      },
    ],
  },
  {
    seq: 5,
    body: String.raw`[1795379596871,{"type":"review_closed","reviewId":"rev_1","answer":{"outcome":"approved","by":"bo"},"/answer/outputs":{"limit":9}},{"type":"emitted","nodeId":"tell","event":"paid","refs":{"/payload/order":"1/0/input/order"}},{"type":"recovered","afterMs":1},{"type":"cancel_requested","afterMs":1,"by":"bo"},{"type":"node_failed","afterMs":1,"nodeId":"tell","message":"no"},{"type":"ended","afterMs":1,"refs":{"/result/output/order":"1/0/input/order"}}]`,
    entries: [
      {
        type: "review_closed",
        atMs: 1795379596871,
        reviewId: "rev_1",
        answer: { outcome: "approved", by: "bo", outputs: { limit: 9 } },
      },
      {
        type: "emitted",
        atMs: 1795379596871,
        nodeId: "tell",
        visit: 1,
        event: "paid",
        payload: {
          order: {
            payee: "Acme",
            amount: 5,
            lines: [
              {
                "a/b": null,
                text: "Invoice INV-7 of Acme GmbH for EUR 125.00, due on Friday, to be paid from the main account.",
              },
            ],
          },
        },
      },
      { type: "recovered", atMs: 1795379596872 },
      { type: "cancel_requested", atMs: 1795379596873, by: "bo" },
      { type: "node_failed", atMs: 1795379596874, nodeId: "tell", visit: 1, message: "no" },
      {
        type: "ended",
        atMs: 1795379596875,
        result: {
          status: "completed",
          output: {
            order: {
              payee: "Acme",
              amount: 5,
              lines: [
                {
                  "a/b": null,
                  text: "Invoice INV-7 of Acme GmbH for EUR 125.00, due on Friday, to be paid from the main account.",
                },
              ],
            },
          },
        },
      },
    ],
  },
];
