/*
 * Tests of procedures, for any test runner.
 *
 *   test-procedure.ts    one run of a procedure; test-environment.ts: several
 *   test-run.ts          a run under test; run-view.ts: its calls, events and reviews as plain values
 *   test-connections.ts  faked and real actions as connections; fake-action.ts, fake-reply.ts: how a fake is written,
 *                        played-action.ts: executes its calls, served-functions.ts: functions of a private connection
 *   moved-time.ts        advances time; moved-clock.ts: the clock, work-under-way.ts: the work that it waits for
 *   scripted-model.ts    models whose answers a test provides; played-model.ts: models without a provider
 *                        watched-models.ts: counts the requests to real ones
 *   record-traffic.ts    records the answers of actions (watched-context.ts) and models (record-models.ts) as JSON,
 *                        recording.ts: its shape; replay-traffic.ts: replays it
 *   repeatable-random.ts the same ids and delays in each run
 *   testing-error.ts     an error that fails the test, however the procedure handles it
 */

// Running a procedure
export { testProcedure } from "./test-procedure.ts";
export type { TestOptions } from "./test-procedure.ts";
export { createTestEnvironment } from "./test-environment.ts";
export type { InputFor, TestEnvironment, TestEnvironmentOptions, TestRunOptions } from "./test-environment.ts";
export type { ApproveOptions, TestRun } from "./test-run.ts";
export type { TestCall, TestEffect, TestEvent, TestReview, TestTurn } from "./run-view.ts";

// Faking actions
export { fakeAction, idempotent, once, reads } from "./fake-action.ts";
export type { FakeAction, FakeActionDefinition } from "./fake-action.ts";
export { answersAfter, isNotSent, losesAnswer, refuses, timesOut } from "./fake-reply.ts";
export type { FakeHandler, FakeOutcome, FakeReply } from "./fake-reply.ts";
export type { ConnectionOptions, FakedActions, TestConnection } from "./test-connections.ts";

// Scripting models
export { scriptedModel } from "./scripted-model.ts";
export type { ScriptedAnswer, ScriptedFailure, ScriptedModel, ScriptedRequest } from "./scripted-model.ts";
export type { TestModels } from "./watched-models.ts";

// Recording once, replaying without a network
export { recordTraffic } from "./record-traffic.ts";
export type { RecordedTraffic, RecordOptions } from "./record-traffic.ts";
export { replayTraffic } from "./replay-traffic.ts";
export type { ReplayedTraffic } from "./replay-traffic.ts";
export type { TrafficRecording } from "./recording.ts";

// Failing a test
export { TestingError } from "./testing-error.ts";
