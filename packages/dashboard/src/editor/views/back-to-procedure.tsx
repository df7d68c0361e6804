import { Link } from "@tanstack/react-router";
import type { ReactElement } from "react";
import { useEnvironment } from "../../shell/environment.ts";

export function BackToProcedure({ procedureId }: { readonly procedureId: string }): ReactElement {
  const environment = useEnvironment();
  return (
    <Link
      to="/$environment/procedures/$procedureId"
      params={{ environment, procedureId }}
      className="inline-flex min-h-6 items-center text-accent"
    >
      Back to the procedure
    </Link>
  );
}
