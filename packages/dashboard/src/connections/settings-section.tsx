import { Link } from "@tanstack/react-router";
import { Pencil } from "lucide-react";
import type { ReactElement } from "react";
import type { Connection } from "../api/models.ts";
import { useEnvironment } from "../shell/environment.ts";
import { buttonClass } from "../ui/button.tsx";
import { Section } from "../ui/section.tsx";
import { shownSettings } from "./shown-setting.ts";

/** The settings of a connection, as they are. */
export function SettingsSection({
  connection: { id, settings },
  mayManage,
}: {
  readonly connection: Connection;
  readonly mayManage: boolean;
}): ReactElement {
  const environment = useEnvironment();
  const shown = shownSettings(settings);
  return (
    <Section title="Settings">
      {shown.length === 0 ? (
        <p className="text-text-2">It has no settings but its secrets.</p>
      ) : (
        <dl className="grid max-w-3xl gap-x-6 gap-y-2 rounded-panel border border-hairline bg-surface px-4 py-3 sm:grid-cols-[auto_1fr]">
          {shown.map(({ label, text }, index) => (
            <div key={index} className="contents">
              <dt className="text-text-3 max-sm:-mb-2">{label}</dt>
              <dd className="min-w-0 font-medium wrap-anywhere">{text}</dd>
            </div>
          ))}
        </dl>
      )}
      {mayManage && shown.length > 0 && (
        <Link
          to="/$environment/connections/$connectionId/edit"
          params={{ environment, connectionId: id }}
          className={buttonClass("secondary", "self-start")}
        >
          <Pencil aria-hidden size={15} />
          Edit settings
        </Link>
      )}
    </Section>
  );
}
