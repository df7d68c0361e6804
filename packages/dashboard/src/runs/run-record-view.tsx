import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { Download, ShieldCheck } from "lucide-react";
import type { ReactElement } from "react";
import { answerOf, api } from "../api/client.ts";
import { oneKey } from "../api/query-keys.ts";
import { useEnvironment } from "../shell/environment.ts";
import { Button } from "../ui/button.tsx";
import { Alert, Problem } from "../ui/problem.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Cell, HeadCell, Row, Table } from "../ui/table.tsx";
import { saveFile } from "../values/save-file.ts";
import { verifyRecord } from "./verify-record.ts";

const route = getRouteApi("/signed-in/$environment/runs/$runId/record");
const shownRows = 500;

/** The journal of a run as it was signed, which the reader's browser verifies. */
export function RunRecordView(): ReactElement {
  const environment = useEnvironment();
  const { runId } = route.useParams();
  const record = useQuery({
    queryKey: oneKey("run", environment, runId, "record"),
    queryFn: () =>
      answerOf(api.GET("/api/v1/runs/{runId}/audit", { params: { path: { runId }, query: { environment } } })),
  });
  const verify = useMutation({
    mutationFn: async () => {
      if (record.data === undefined) throw new Error("The record has not been read.");
      return await verifyRecord(record.data, await answerOf(api.GET("/api/v1/audit/public-key")));
    },
  });
  if (record.error !== null) return <Problem error={record.error} onRetry={() => void record.refetch()} />;
  if (record.data === undefined) return <Skeleton />;
  const { rows, keyId } = record.data;
  return (
    <div className="flex flex-col gap-4">
      <p className="max-w-prose text-text-2">
        Each row of the run's journal is chained to the one before. The service signed their digests with the key{" "}
        <code className="font-mono text-code">{keyId}</code>. Compare the key with the one that the service's operator
        gave you.
      </p>
      <div className="flex flex-wrap items-center gap-2">
        <Button
          variant="primary"
          icon={ShieldCheck}
          busyLabel={verify.isPending ? "Verifying …" : undefined}
          onClick={() => verify.mutate()}
        >
          Verify in this browser
        </Button>
        <Button icon={Download} onClick={() => saveFile(`${runId}.json`, JSON.stringify(record.data))}>
          Download
        </Button>
      </div>
      {verify.data?.isValid === true && (
        <p role="status" className="rounded-panel bg-completed-bg px-3 py-2 font-medium text-completed">
          Verified: {verify.data.rows} rows
        </p>
      )}
      {verify.data?.isValid === false && <Alert>{verify.data.message}</Alert>}
      {verify.error !== null && <Problem error={verify.error} />}
      <Table
        caption="Rows"
        columns={[{ name: "Row", isNumeric: true }, { name: "Entries" }, { name: "Digest" }, { name: "Hash" }]}
      >
        {rows.slice(0, shownRows).map(({ seq, entries, digest, hash }) => (
          <Row key={seq}>
            <HeadCell>{seq}</HeadCell>
            <Cell>{entries.map(typeOf).join(", ")}</Cell>
            <Cell>
              <code className="font-mono text-code">{digest.slice(0, 16)}…</code>
            </Cell>
            <Cell>
              <code className="font-mono text-code">{hash.slice(0, 16)}…</code>
            </Cell>
          </Row>
        ))}
      </Table>
      {rows.length > shownRows && (
        <p className="text-text-2">
          The first {shownRows} of {rows.length} rows are shown. All of them are verified and downloaded.
        </p>
      )}
    </div>
  );
}

function typeOf(entry: unknown): string {
  const type = typeof entry === "object" && entry !== null && "type" in entry ? entry.type : undefined;
  return typeof type === "string" ? type.replaceAll("_", " ") : "entry";
}
