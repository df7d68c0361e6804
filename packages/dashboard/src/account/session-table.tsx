import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { answerOf, api } from "../api/client.ts";
import { Button } from "../ui/button.tsx";
import { Problem } from "../ui/problem.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { Cell, HeadCell, Row, Table } from "../ui/table.tsx";
import { Age, Moment } from "../values/moment.tsx";

/** The sessions of the person, each of which they can end. */
export function SessionTable(): ReactElement {
  const queryClient = useQueryClient();
  const sessions = useQuery({ queryKey: ["sessions"], queryFn: () => answerOf(api.GET("/api/v1/sessions")) });
  const end = useMutation({
    mutationFn: (id: string) => answerOf(api.DELETE("/api/v1/sessions/{id}", { params: { path: { id } } })),
    onSettled: () => queryClient.invalidateQueries({ queryKey: ["sessions"] }),
  });
  if (sessions.error !== null) return <Problem error={sessions.error} onRetry={() => void sessions.refetch()} />;
  if (sessions.data === undefined) return <Skeleton rows={2} />;
  return (
    <>
      {end.error !== null && <Problem error={end.error} />}
      <Table
        caption="Sessions"
        columns={[{ name: "Browser" }, { name: "Address" }, { name: "Signed in" }, { name: "Last used" }, { name: "" }]}
      >
        {sessions.data.data.map(({ id, isCurrent, userAgent, address, createdAt, lastSeenAt }) => (
          <Row key={id}>
            <HeadCell>
              <span className="line-clamp-1 max-w-md" title={userAgent}>
                {userAgent ?? "Unknown"}
              </span>
            </HeadCell>
            <Cell>{address}</Cell>
            <Cell>
              <Moment at={createdAt} />
            </Cell>
            <Cell>
              <Age since={lastSeenAt} />
            </Cell>
            <Cell>
              {isCurrent ? (
                "This session"
              ) : (
                <Button variant="quiet" onClick={() => end.mutate(id)}>
                  End session
                </Button>
              )}
            </Cell>
          </Row>
        ))}
      </Table>
    </>
  );
}
