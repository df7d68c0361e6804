import { describe, expect, test } from "vitest";
import { alice } from "./harness.ts";
import { calling, createConnectionHarness, payments, type ConnectionHarness } from "./connection-harness.ts";
import { documentText, type ListedAction } from "./listed-api.ts";

const sandbox = { environment: "sandbox" } as const;
const calls = [{ nodeId: "pay", action: "pay" }];

const redocument = async (harness: ConnectionHarness, connectionId: string, actions: readonly ListedAction[]) => {
  const settings = { spec: { text: documentText({ server: harness.api.url, actions }) } };
  return await harness.engine.connections.update({ ...sandbox, connectionId, settings, by: alice });
};
const problemsOf = (harness: ConnectionHarness, action?: string) =>
  harness.engine.procedures.validate({ document: calling(action), environments: ["sandbox"] });

describe("the uses of a connection", () => {
  test("are default versions of its environment and drafts, each with its nodes", async () => {
    const harness = await createConnectionHarness();
    const place = await harness.connect();
    expect(await harness.engine.connections.usedBy(place)).toEqual([]);
    await harness.publish(calling());
    await harness.publish({ ...calling(), procedureId: "other" }, { version: "v7" });
    await harness.engine.procedures.saveDraft({ procedureId: "p", document: calling(), revision: 0, by: alice });
    expect(await harness.engine.connections.usedBy(place)).toEqual([
      { procedureId: "other", version: "v7", calls },
      { procedureId: "p", version: "v1", calls },
      { procedureId: "p", calls },
    ]);
    await harness.engine.procedures.discardDraft({ procedureId: "p", revision: 1, by: alice });
    expect(await harness.engine.connections.usedBy(place)).toEqual([
      { procedureId: "other", version: "v7", calls },
      { procedureId: "p", version: "v1", calls },
    ]);
    await harness.engine.procedures.saveDraft({ procedureId: "p", document: calling(), revision: 0, by: alice });
    const live = await harness.connect({ environment: "live" });
    expect(await harness.engine.connections.usedBy(live)).toEqual([{ procedureId: "p", calls }]);
  });

  test("are reported with a change that affects them, with the affected calls", async () => {
    const harness = await createConnectionHarness();
    const { connectionId } = await harness.connect();
    await harness.publish(calling());
    await harness.publish({ ...calling("look"), procedureId: "looking" });
    const changed = await redocument(harness, connectionId, [{ name: "pay", at: "POST /payments", deprecated: true }]);
    expect(changed.changes).toMatchObject({
      deprecated: ["pay"],
      removed: ["look"],
      usedBy: [
        { procedureId: "looking", calls: [{ nodeId: "pay", action: "look" }] },
        { procedureId: "p", calls },
      ],
    });
    const again = await redocument(harness, connectionId, [{ name: "pay", at: "POST /payments", deprecated: true }]);
    expect(again.changes).toBeUndefined();
  });

  test("are reported for changed actions under their former names too", async () => {
    const harness = await createConnectionHarness();
    const { connectionId } = await harness.connect();
    await harness.publish(calling());
    await redocument(harness, connectionId, [{ name: "pay_now", at: "POST /payments" }]);
    const renamed = await redocument(harness, connectionId, [{ name: "settle", at: "POST /payments" }]);
    expect(renamed.changes).toMatchObject({ usedBy: [{ procedureId: "p", calls }] });
    const deprecated = await redocument(harness, connectionId, [
      { name: "settle", at: "POST /payments", deprecated: true },
    ]);
    expect(deprecated.changes).toMatchObject({ deprecated: ["settle"], usedBy: [{ procedureId: "p", calls }] });
    const removed = await redocument(harness, connectionId, [{ name: "other", at: "POST /others" }]);
    expect(removed.changes).toMatchObject({ removed: ["settle"], usedBy: [{ procedureId: "p", calls }] });
  });

  test("prevent its removal or renaming, unless it is forced", async () => {
    const harness = await createConnectionHarness();
    const { connectionId } = await harness.connect();
    const place = { ...sandbox, connectionId, by: alice };
    const { connections } = harness.engine;
    await harness.publish(calling());
    const inUse = {
      code: "connection_in_use",
      status: 409,
      details: [{ path: "", message: 'procedure "p", version "v1", calls it at pay' }],
    };
    await expect(connections.remove(place)).rejects.toMatchObject(inUse);
    await expect(connections.update({ ...place, name: "other" })).rejects.toMatchObject(inUse);
    await connections.update({ ...place, name: "bills", secrets: { token: "tok-2222" } });
    await connections.update({ ...place, name: "other", force: true });
    await connections.remove(place);
  });

  test("do not prevent its removal if they are only drafts", async () => {
    const harness = await createConnectionHarness();
    const { connectionId } = await harness.connect();
    await harness.engine.procedures.saveDraft({ procedureId: "p", document: calling(), revision: 0, by: alice });
    await harness.engine.connections.remove({ ...sandbox, connectionId, by: alice });
  });

  test("a name in use is not taken", async () => {
    const harness = await createConnectionHarness();
    const { connectionId } = await harness.connect();
    await harness.connect({ name: "other" });
    const taking = harness.engine.connections.update({ ...sandbox, connectionId, name: "other", by: alice });
    await expect(taking).rejects.toMatchObject({ code: "name_taken" });
  });
});

describe("checking or publishing a document", () => {
  test("warns of an action that is deprecated or renamed", async () => {
    const harness = await createConnectionHarness();
    const { connectionId } = await harness.connect();
    expect(await problemsOf(harness)).toEqual([]);
    await redocument(harness, connectionId, [{ name: "pay", at: "POST /payments", deprecated: true }]);
    expect(await problemsOf(harness)).toMatchObject([
      { severity: "warning", path: "/nodes/1/action", code: "deprecated_action" },
    ]);
    await redocument(harness, connectionId, [{ name: "pay_now", at: "POST /payments" }]);
    const published = await harness.engine.procedures.publish({ document: calling(), version: "v1", by: alice });
    expect(published.problems).toMatchObject([
      {
        severity: "warning",
        path: "/nodes/1/action",
        code: "renamed_action",
        message: 'Action "pay" of connection "bills" was renamed to "pay_now"; use the new name.',
      },
    ]);
  });

  test("warns of a removed action, and reports an error if the version becomes the default", async () => {
    const harness = await createConnectionHarness();
    const { connectionId } = await harness.connect();
    await redocument(harness, connectionId, [payments[1] as ListedAction]);
    expect(await problemsOf(harness)).toMatchObject([{ severity: "error", code: "unknown_action" }]);
    await expect(harness.publish(calling())).rejects.toMatchObject({ code: "invalid_document" });
  });

  test("reports arguments that no longer fit", async () => {
    const harness = await createConnectionHarness();
    const { connectionId } = await harness.connect();
    const input = { type: "object", properties: { amount: { type: "string" } } };
    await redocument(harness, connectionId, [{ name: "pay", at: "POST /payments", input }]);
    expect(await problemsOf(harness)).toMatchObject([
      { severity: "error", code: "arguments", path: "/nodes/1/arguments/amount" },
    ]);
  });
});
