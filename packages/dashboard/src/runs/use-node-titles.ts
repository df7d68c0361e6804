import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import type { Environment, Run } from "../api/models.ts";
import { versionOf } from "../api/versions.ts";
import type { NodeTitles } from "./timeline.ts";

/** Titles of the nodes of a run's version; none while it is being read. */
export function useNodeTitles(environment: Environment, run: Run | undefined): NodeTitles {
  const { data } = useQuery({
    ...versionOf(environment, run?.procedureId ?? "", run?.procedureVersion ?? ""),
    enabled: run !== undefined,
  });
  return useMemo(() => {
    const titled = data?.document.nodes.flatMap((node): [string, string][] =>
      "title" in node && node.title !== undefined ? [[node.id, node.title]] : [],
    );
    return new Map(titled);
  }, [data]);
}
