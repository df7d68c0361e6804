import { useMutation } from "@tanstack/react-query";
import { Download } from "lucide-react";
import { useState, type ReactElement } from "react";
import { messageOf } from "../ui/problem.tsx";
import { Button } from "../ui/button.tsx";
import type { Environment } from "../api/models.ts";
import { saveFile } from "../values/save-file.ts";
import type { TimeZone } from "../values/time.ts";
import { auditQuery, type AuditFilters } from "./audit-filters.ts";
import { allChanges } from "./use-audit.ts";

/** Saves all changes that match the filters, as the API answers them, with their place in the chain. */
export function ExportChanges({
  environment,
  filters,
  timeZone,
}: {
  readonly environment: Environment;
  readonly filters: AuditFilters;
  readonly timeZone: TimeZone;
}): ReactElement {
  const [count, setCount] = useState(0);
  const save = useMutation({
    mutationFn: () => allChanges(environment, filters, timeZone, setCount),
    onSuccess: (entries) => {
      const exportedAt = new Date().toISOString();
      const content = { exportedAt, environment, filters: auditQuery(filters, timeZone), entries };
      saveFile(`changes-${environment}-${exportedAt.slice(0, 10)}.json`, `${JSON.stringify(content, null, 2)}\n`);
    },
  });
  return (
    <>
      <span role="status" className="text-small text-text-2">
        {save.isSuccess && `${count.toLocaleString("en")} ${count === 1 ? "change" : "changes"} exported.`}
        {save.error !== null && `Nothing was exported. ${messageOf(save.error)}`}
      </span>
      <Button
        icon={Download}
        busyLabel={save.isPending ? `Exporting ${count.toLocaleString("en")} …` : undefined}
        onClick={() => save.mutate()}
      >
        Export
      </Button>
    </>
  );
}
