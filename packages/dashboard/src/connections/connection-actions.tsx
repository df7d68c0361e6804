import { FlaskConical, Pencil, Trash2 } from "lucide-react";
import { useState, type ReactElement } from "react";
import type { Connection } from "../api/models.ts";
import { useEnvironment, writeLabel } from "../shell/environment.ts";
import { Button } from "../ui/button.tsx";
import { DeleteConnectionDialog } from "./delete-connection-dialog.tsx";
import { RenameDialog } from "./rename-dialog.tsx";
import type { useTestConnection } from "./use-change-connection.ts";

/** What a person may do with a connection. */
export function ConnectionActions({
  connection,
  test,
}: {
  readonly connection: Connection;
  readonly test: ReturnType<typeof useTestConnection>;
}): ReactElement {
  const environment = useEnvironment();
  const [open, setOpen] = useState<"rename" | "delete">();
  const close = (): void => setOpen(undefined);
  return (
    <>
      <Button icon={Pencil} onClick={() => setOpen("rename")}>
        {writeLabel("Rename", environment)}
      </Button>
      <Button variant="danger" icon={Trash2} onClick={() => setOpen("delete")}>
        {writeLabel("Delete", environment)}
      </Button>
      <Button
        variant="primary"
        icon={FlaskConical}
        busyLabel={test.isPending ? "Testing …" : undefined}
        onClick={() => test.mutate()}
      >
        {writeLabel("Test", environment)}
      </Button>
      {open === "rename" && <RenameDialog connection={connection} onClose={close} />}
      {open === "delete" && <DeleteConnectionDialog connection={connection} onClose={close} />}
    </>
  );
}
