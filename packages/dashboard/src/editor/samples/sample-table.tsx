/*
 * Sample values of a condition, and the branch that each takes.
 *
 *   sample-table.tsx     the table
 *   taken-branch.ts      the branch of a sample, by the draft's expressions
 *   example-samples.ts   samples of the schema, and at the limits of the expressions; run-samples.ts: those of past runs
 */
import type { ConditionNode, JsonValue } from "@procedo/contract";
import { useQueries, useQuery } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { useEnvironment } from "../../shell/environment.ts";
import { Cell, HeadCell, Row, Table } from "../../ui/table.tsx";
import { useTimeZone } from "../../values/preferences.ts";
import { formatMoment } from "../../values/time.ts";
import type { StepContext } from "../inspector/step-context.ts";
import { pastRuns } from "../trying/past-runs.ts";
import { exampleSamples, limitSamples } from "./example-samples.ts";
import { runSample } from "./run-samples.ts";
import { pathsOf, sampleValue, stepsRead, takenBranch, type Sample, type Taken } from "./taken-branch.ts";

const mostRuns = 5;
const mostColumns = 3;

/** Which branch past inputs, the examples of the schema and values at the limits take. */
export function SampleTable({ step }: { readonly step: StepContext<ConditionNode> }): ReactElement {
  const { document, node } = step;
  const samples = useSamples(step);
  const paths = pathsOf(node).slice(0, mostColumns);
  const rows = samples.map((sample) => ({ sample, taken: takenBranch(document, node, sample) }));
  if (rows.length === 0) {
    return (
      <p className="text-text-2">
        There are no values yet. Past runs have some, and so have “examples” of the input schema.
      </p>
    );
  }
  return (
    <Table
      caption="Sample values"
      columns={[{ name: "Sample" }, ...paths.map((path) => ({ name: shortName(path) })), { name: "Branch" }]}
    >
      {rows.map(({ sample, taken }) => (
        <Row key={sample.key}>
          <HeadCell>{sample.label}</HeadCell>
          {paths.map((path) => (
            <Cell key={path}>
              <span className="wrap-anywhere">{shownValue(sampleValue(sample, path))}</span>
            </Cell>
          ))}
          <Cell>
            <TakenWord taken={taken} />
          </Cell>
        </Row>
      ))}
    </Table>
  );
}

function useSamples({ document, node }: StepContext<ConditionNode>): readonly Sample[] {
  const environment = useEnvironment();
  const zone = useTimeZone();
  const runs = useQuery(pastRuns(environment, document.procedureId));
  const stepIds = stepsRead(node);
  const past = useQueries({
    queries: (runs.data ?? [])
      .slice(0, mostRuns)
      .map((run) => runSample(environment, run, run.reference ?? formatMoment(run.createdAt, zone), stepIds)),
    combine: (answers) => answers.flatMap(({ data }) => data ?? []),
  });
  return [...past, ...exampleSamples(document), ...limitSamples(node)];
}

function shortName(path: string): string {
  return path.replace(/^(?:input|nodes|run)\./, "").replace(".output", "");
}

const longest = 40;

function shownValue(value: JsonValue | undefined): string {
  if (value === undefined) return "–";
  const text = typeof value === "string" ? value : JSON.stringify(value);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

function TakenWord({ taken }: { readonly taken: Taken }): ReactElement {
  switch (taken.kind) {
    case "branch":
      return <strong className="font-medium wrap-anywhere">{taken.branch}</strong>;
    case "fails":
      return <span className="text-failed wrap-anywhere">Fails: {taken.message}</span>;
    case "depends_on_run":
      return <span className="text-text-2">Depends on the run</span>;
    case "unknown":
      return <span className="text-text-3">–</span>;
  }
}
