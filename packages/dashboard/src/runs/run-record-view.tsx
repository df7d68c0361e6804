import { useMutation, useQuery } from "@tanstack/react-query";
import { getRouteApi } from "@tanstack/react-router";
import { CircleCheck, Download, ShieldCheck } from "lucide-react";
import { useEffect, type ReactElement } from "react";
import { answerOf, api } from "../api/client.ts";
import { hasCode } from "../api/api-error.ts";
import { oneKey } from "../api/query-keys.ts";
import { useEnvironment } from "../shell/environment.ts";
import { Button } from "../ui/button.tsx";
import { Empty } from "../ui/empty.tsx";
import { Alert, Problem } from "../ui/problem.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Moment } from "../values/moment.tsx";
import { saveFile } from "../values/save-file.ts";
import { RecordRows } from "./record-rows.tsx";
import { verifyRecord, type RecordVerdict, type RunRecord } from "./verify-record.ts";

const route = getRouteApi("/signed-in/$environment/runs/$runId/record");

/** The journal of a run as it was signed, which the reader's browser verifies. */
export function RunRecordView(): ReactElement {
  const environment = useEnvironment();
  const { runId } = route.useParams();
  const { row: shownRow } = route.useSearch();
  const record = useQuery({
    queryKey: oneKey("run", environment, runId, "record"),
    queryFn: () =>
      answerOf(api.GET("/api/v1/runs/{runId}/audit", { params: { path: { runId }, query: { environment } } })),
  });
  const verify = useMutation({
    mutationFn: async (read: RunRecord): Promise<RecordVerdict> => {
      if (globalThis.crypto.subtle === undefined) {
        return {
          isValid: false,
          message: "This browser verifies records on secure pages only. Open Procedo over HTTPS.",
        };
      }
      const key = await answerOf(api.GET("/api/v1/audit/public-key"));
      return await verifyRecord(read, key, { runId, environment });
    },
  });
  const { mutate, isIdle, variables: verified } = verify;
  // The verdict is about the record that is shown. The service signs each answer anew.
  useEffect(() => {
    if (!isIdle && record.data !== undefined && verified !== record.data) mutate(record.data);
  }, [record.data, isIdle, verified, mutate]);
  if (hasCode(record.error, "run_archived")) return <ArchivedRecord />;
  if (record.error !== null) return <Problem error={record.error} onRetry={() => void record.refetch()} />;
  if (record.data === undefined) return <Skeleton />;
  return (
    <div className="flex flex-col gap-4">
      <p className="max-w-prose text-text-2" data-print="hide">
        The service wrote each row when it happened, chained it to the row before, and signed all of them. Verify them
        here, or download the record for an auditor, who needs this file and the public key alone.
      </p>
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
        <dt className="text-text-3">Rows</dt>
        <dd>{record.data.rows.length}</dd>
        <dt className="text-text-3">Signed with</dt>
        <dd className="font-mono text-code wrap-anywhere">{record.data.keyId}</dd>
      </dl>
      <div className="flex flex-wrap items-center gap-2" data-print="hide">
        <Button
          variant="primary"
          icon={ShieldCheck}
          busyLabel={verify.isPending ? "Verifying …" : undefined}
          onClick={() => verify.mutate(record.data)}
        >
          Verify in this browser
        </Button>
        <Button icon={Download} onClick={() => saveFile(`${runId}.json`, JSON.stringify(record.data))}>
          Download
        </Button>
      </div>
      {verify.data !== undefined && <Verdict verdict={verify.data} />}
      {verify.error !== null && <Problem error={verify.error} onRetry={() => verify.mutate(record.data)} />}
      <RecordRows
        runId={runId}
        rows={record.data.rows}
        shownRow={shownRow}
        wrongRow={verify.data?.isValid === false ? verify.data.seq : undefined}
      />
    </div>
  );
}

function Verdict({ verdict }: { readonly verdict: RecordVerdict }): ReactElement {
  if (verdict.isValid) {
    return (
      <div className="flex items-start gap-2 rounded-panel bg-completed-bg px-3 py-2 text-completed">
        <CircleCheck aria-hidden size={16} className="mt-0.5 shrink-0" />
        <div>
          <p role="status" aria-label="Verdict" className="font-semibold">
            Verified: {verdict.rows} rows
          </p>
          <p>
            Every row is as it was signed on <Moment at={verdict.exportedAt} />. Compare the key above with the one that
            the operator gave you.
          </p>
        </div>
      </div>
    );
  }
  return (
    <div className="flex flex-col gap-1">
      <Alert>{verdict.message}</Alert>
      <p className="text-text-2">
        Do not rely on this record. Download it as it is, and tell the operator of this service.
      </p>
    </div>
  );
}

function ArchivedRecord(): ReactElement {
  return (
    <Empty title="The record of this run was archived.">
      <p className="max-w-prose">
        The operator of this service keeps the archive, in which the record can be read and verified.
      </p>
    </Empty>
  );
}
