import { phone, type State } from "./state.ts";

/** The pages about what starts runs by itself. */
export const triggerStates: readonly State[] = [
  { name: "triggers", caption: "Triggers", route: "/$environment/triggers", path: () => "sandbox/triggers" },
  {
    name: "new-trigger",
    height: 1120,
    caption: "A schedule with its next times",
    route: "/$environment/triggers/new",
    path: () => "sandbox/triggers/new?procedure=vendor-payment",
    prepare: async (page) => {
      await page.getByRole("textbox", { name: "Name", exact: true }).fill("Rent of the London office");
      await page.getByRole("combobox", { name: "Time zone" }).selectOption("Europe/London");
      await page.getByRole("columnheader", { name: "Time of the schedule (Europe/London)" }).waitFor();
    },
  },
  {
    name: "trigger-schedule",
    caption: "A schedule in the zone of another office",
    route: "/$environment/triggers/$triggerId",
    path: ({ triggers }) => `sandbox/triggers/${triggers.schedule}`,
  },
  {
    name: "trigger-webhook",
    height: 900,
    caption: "A webhook and its firings",
    route: "/$environment/triggers/$triggerId",
    path: ({ triggers }) => `sandbox/triggers/${triggers.webhook}`,
    prepare: (page) => page.getByRole("table", { name: "Firings" }).waitFor(),
  },
  {
    name: "trigger-phone",
    caption: "A trigger on a phone",
    route: "/$environment/triggers/$triggerId",
    path: ({ triggers }) => `sandbox/triggers/${triggers.schedule}`,
    ...phone,
  },
  {
    name: "trigger-edit",
    height: 1120,
    caption: "Condition, input and their test",
    route: "/$environment/triggers/$triggerId/edit",
    path: ({ triggers }) => `sandbox/triggers/${triggers.webhook}/edit`,
    prepare: async (page) => {
      const event = { type: "bill.approved", vendor: "Northwind Logistics", cents: 31_250 };
      await page.getByRole("textbox", { name: "Event", exact: true }).fill(JSON.stringify(event));
      await page.getByRole("button", { name: "Test", exact: true }).click();
      await page.getByRole("status", { name: "Result of the test" }).getByText("31250").scrollIntoViewIfNeeded();
    },
  },
  {
    name: "firing",
    caption: "A firing that failed",
    route: "/$environment/triggers/$triggerId/firings/$firingId",
    path: ({ triggers }) => `sandbox/triggers/${triggers.webhook}/firings/${triggers.failedFiring}`,
  },
];
