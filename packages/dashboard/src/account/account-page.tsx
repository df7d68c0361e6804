import type { ReactElement, ReactNode } from "react";
import { Page } from "../shell/page.tsx";
import { useSession } from "../shell/session.ts";
import { SelectField } from "../ui/field.tsx";
import { setPreferences, usePreferences, type Appearance } from "../values/preferences.ts";
import { PasswordForm } from "./password-form.tsx";
import { SessionTable } from "./session-table.tsx";

export function AccountPage(): ReactElement {
  const { person } = useSession();
  return (
    <Page heading="Your account" subtitle={`${person.name} · ${person.email}`}>
      <div className="grid max-w-4xl items-start gap-6 md:grid-cols-2">
        <Section title="Display">
          <Display />
        </Section>
        <Section title="Password">
          <PasswordForm />
        </Section>
      </div>
      <Section title="Sessions">
        <SessionTable />
      </Section>
    </Page>
  );
}

function Section({ title, children }: { readonly title: string; readonly children: ReactNode }): ReactElement {
  return (
    <section aria-label={title} className="flex flex-col gap-3">
      <h2 className="text-section font-semibold">{title}</h2>
      {children}
    </section>
  );
}

const appearances: readonly { readonly value: Appearance; readonly label: string }[] = [
  { value: "system", label: "As the system" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
];

function Display(): ReactElement {
  const { appearance, timeZone } = usePreferences();
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zones = ["UTC", ...Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC")];
  return (
    <>
      <SelectField
        label="Appearance"
        value={appearance}
        options={appearances}
        onChange={({ target }) => setPreferences({ appearance: target.value as Appearance })}
      />
      <SelectField
        label="Time zone"
        hint="In which times are shown in this browser."
        value={timeZone ?? ""}
        options={[
          { value: "", label: `Of this device (${own})` },
          ...zones.map((zone) => ({ value: zone, label: zone })),
        ]}
        onChange={({ target }) => setPreferences({ timeZone: target.value === "" ? undefined : target.value })}
      />
    </>
  );
}
