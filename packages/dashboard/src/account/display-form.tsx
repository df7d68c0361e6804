import type { ReactElement } from "react";
import { SelectField } from "../ui/field.tsx";
import { Moment } from "../values/moment.tsx";
import { useNow } from "../values/now.ts";
import { setPreferences, usePreferences, type Appearance } from "../values/preferences.ts";

const appearances: readonly { readonly value: Appearance; readonly label: string }[] = [
  { value: "system", label: "Same as this device" },
  { value: "light", label: "Light" },
  { value: "dark", label: "Dark" },
];

/** The choices of this browser: colours, and the zone of times. */
export function DisplayForm(): ReactElement {
  const { appearance, timeZone } = usePreferences();
  const own = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zones = Intl.supportedValuesOf("timeZone").filter((zone) => zone !== "UTC");
  return (
    <>
      <SelectField
        label="Theme"
        value={appearance}
        options={appearances}
        onChange={({ target }) => setPreferences({ appearance: target.value as Appearance })}
      />
      <SelectField
        label="Time zone"
        hint={<Now />}
        value={timeZone ?? ""}
        options={[
          { value: "", label: `Same as this device (${own})` },
          { value: "UTC", label: "UTC" },
          ...zones.map((zone) => ({ value: zone, label: zone })),
        ]}
        onChange={({ target }) => setPreferences({ timeZone: target.value === "" ? undefined : target.value })}
      />
      <p className="text-small text-text-3">Kept in this browser.</p>
    </>
  );
}

/** The present time in the chosen zone. */
function Now(): ReactElement {
  const nowMs = useNow();
  return (
    <>
      Now: <Moment at={new Date(nowMs).toISOString()} />
    </>
  );
}
