import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { answerOf, api } from "../api/client.ts";
import { Button } from "../ui/button.tsx";
import { Problem } from "../ui/problem.tsx";
import { Cell, HeadCell, Row, Table } from "../ui/table.tsx";
import { Until } from "../values/moment.tsx";
import { openInvitations } from "./use-people.ts";

/** Invitations that were not accepted yet, each of which can be withdrawn. */
export function Invitations(): ReactElement | null {
  const queryClient = useQueryClient();
  const invitations = useQuery(openInvitations);
  const withdraw = useMutation({
    mutationFn: (id: string) => answerOf(api.DELETE("/api/v1/people/invitations/{id}", { params: { path: { id } } })),
    onSettled: () => queryClient.invalidateQueries({ queryKey: openInvitations.queryKey }),
  });
  if (invitations.error !== null) return <Problem error={invitations.error} />;
  if (invitations.data === undefined || invitations.data.data.length === 0) return null;
  return (
    <section aria-label="Open invitations" className="flex flex-col gap-2">
      <h2 className="text-section font-semibold">Open invitations</h2>
      {withdraw.error !== null && <Problem error={withdraw.error} />}
      <Table
        caption="Invitations"
        columns={[{ name: "E-mail" }, { name: "Invited by" }, { name: "Expires" }, { name: "" }]}
      >
        {invitations.data.data.map(({ id, email, invitedBy, expiresAt }) => (
          <Row key={id}>
            <HeadCell>{email}</HeadCell>
            <Cell>{invitedBy}</Cell>
            <Cell>
              <Until at={expiresAt} />
            </Cell>
            <Cell>
              <Button
                variant="quiet"
                aria-label={`Withdraw the invitation of ${email}`}
                onClick={() => withdraw.mutate(id)}
              >
                Withdraw
              </Button>
            </Cell>
          </Row>
        ))}
      </Table>
    </section>
  );
}
