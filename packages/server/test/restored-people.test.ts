import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { addPeople, statusesOf } from "./people-of-a-service.ts";
import { makePlace, procedo, procedoJson, startProcess, type Place } from "./server-process.ts";

async function start(place: Place) {
  const server = await startProcess(place);
  const stop = async () => {
    server.kill("SIGTERM");
    return await server.ended;
  };
  onTestFinished(async () => void (await stop()));
  return { url: server.url, stop };
}

test("a restored backup has no session and no open invitation, and says how many have ended", async () => {
  const place = makePlace();
  onTestFinished(() => place.remove());
  const server = await start(place);
  const people = await addPeople(place, server.url);
  const backup = join(place.folder, "backup.sqlite");
  await procedoJson(place, "backup", backup);
  // The backup would bring back both.
  expect(await statusesOf(server.url, people)).toEqual([200, 201]);
  await server.stop();

  const restored = { ...place, env: { ...place.env, PROCEDO_DATA_DIR: join(place.folder, "restored") } };
  const { out } = await procedo(restored, "restore", backup);
  expect(out).toContain("1 sessions of people ended.\n1 open invitations are void. Invite these people again.\n");
  copyFileSync(join(place.folder, "data/master.key"), join(place.folder, "restored/master.key"));
  expect(await procedo(restored, "audit", "verify")).toMatchObject({ code: 0 });
  const again = await start(restored);
  expect(await statusesOf(again.url, people)).toEqual([401, 404]);
  expect(await procedoJson(restored, "people", "list")).toMatchObject({ data: [{ email: "ana@example.com" }] });
  await procedoJson(restored, "people", "invite", "--email", "ben@example.com", "--access", "live=viewer");
});
