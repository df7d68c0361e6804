import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { answerOf, api } from "../api/client.ts";
import { Button } from "../ui/button.tsx";
import { Problem } from "../ui/problem.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Cell, HeadCell, Row, Table } from "../ui/table.tsx";
import { Age, Moment } from "../values/moment.tsx";
import { browserName } from "./browser-name.ts";

const columns = [
  { name: "Browser" },
  { name: "Address" },
  { name: "Signed in", isSecondary: true },
  { name: "Last used" },
  { name: "Action" },
];

/** The sessions of the person, with a button that ends each of them. */
export function SessionTable(): ReactElement {
  const queryClient = useQueryClient();
  const sessions = useQuery({ queryKey: ["sessions"], queryFn: () => answerOf(api.GET("/api/v1/sessions")) });
  const onSettled = (): Promise<void> => queryClient.invalidateQueries({ queryKey: ["sessions"] });
  const end = useMutation({
    mutationFn: (id: string) => answerOf(api.DELETE("/api/v1/sessions/{id}", { params: { path: { id } } })),
    onSettled,
  });
  const endOthers = useMutation({ mutationFn: () => answerOf(api.DELETE("/api/v1/sessions", {})), onSettled });
  if (sessions.error !== null) return <Problem error={sessions.error} onRetry={() => void sessions.refetch()} />;
  if (sessions.data === undefined) return <Skeleton rows={2} />;
  const { data } = sessions.data;
  return (
    <>
      <p className="text-text-2">
        A session ends 12 hours after its last use, and 7 days after the sign-in. End those that you do not know, and
        change your password.
      </p>
      {end.isError && <Problem error={end.error} />}
      {endOthers.isError && <Problem error={endOthers.error} />}
      <Table caption="Sessions" columns={columns}>
        {data.map(({ id, isCurrent, userAgent, address, createdAt, lastSeenAt }) => (
          <Row key={id}>
            <HeadCell>
              <span title={userAgent}>{browserName(userAgent)}</span>
            </HeadCell>
            <Cell>
              <span className="font-mono text-code">{address ?? "Unknown"}</span>
            </Cell>
            <Cell isSecondary>
              <Moment at={createdAt} />
            </Cell>
            <Cell>
              <Age since={lastSeenAt} />
            </Cell>
            <Cell>
              {isCurrent ? (
                <span className="text-text-2">This session</span>
              ) : (
                <Button
                  variant="quiet"
                  className="-my-1 -ml-3"
                  busyLabel={end.isPending && end.variables === id ? "Ending …" : undefined}
                  onClick={() => end.mutate(id)}
                >
                  End session
                </Button>
              )}
            </Cell>
          </Row>
        ))}
      </Table>
      {data.length > 1 && (
        <Button
          className="self-start"
          busyLabel={endOthers.isPending ? "Ending …" : undefined}
          onClick={() => endOthers.mutate()}
        >
          End all other sessions
        </Button>
      )}
    </>
  );
}
