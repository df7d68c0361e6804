import { useInfiniteQuery, useMutation, useQueryClient } from "@tanstack/react-query";
import type { ReactElement } from "react";
import { answerOf, api } from "../api/client.ts";
import { Button } from "../ui/button.tsx";
import { Problem } from "../ui/problem.tsx";
import { Cell, HeadCell, Row, Table } from "../ui/table.tsx";
import { useToast } from "../ui/toasts.tsx";
import { Until } from "../values/moment.tsx";
import { rolesText } from "../values/roles.ts";
import { openInvitations } from "./use-people.ts";

/** The open invitations, with a button that withdraws each of them. */
export function Invitations(): ReactElement | null {
  const queryClient = useQueryClient();
  const showToast = useToast();
  const invitations = useInfiniteQuery(openInvitations);
  const withdraw = useMutation({
    mutationFn: ({ id }: { readonly id: string; readonly email: string }) =>
      answerOf(api.DELETE("/api/v1/people/invitations/{id}", { params: { path: { id } } })),
    onSuccess: (_answer, { email }) => showToast(`The invitation of ${email} was withdrawn. Its link is void.`),
    onSettled: () => queryClient.invalidateQueries({ queryKey: openInvitations.queryKey }),
  });
  if (invitations.error !== null) {
    return <Problem error={invitations.error} onRetry={() => void invitations.refetch()} />;
  }
  const open = invitations.data?.pages.flatMap(({ data }) => data) ?? [];
  if (open.length === 0) return null;
  return (
    <section aria-label="Open invitations" className="flex flex-col gap-2">
      <h2 className="text-section font-semibold">Open invitations</h2>
      {withdraw.error !== null && <Problem error={withdraw.error} />}
      <Table
        caption="Invitations"
        columns={[
          { name: "E-mail" },
          { name: "Sandbox" },
          { name: "Live" },
          { name: "Invited by", isSecondary: true },
          { name: "Expires" },
          { name: "" },
        ]}
      >
        {open.map(({ id, email, access, invitedBy, expiresAt }) => (
          <Row key={id}>
            <HeadCell>
              <span className="wrap-break-word">{email}</span>
            </HeadCell>
            <Cell>{rolesText(access.sandbox)}</Cell>
            <Cell>{rolesText(access.live)}</Cell>
            <Cell isSecondary>{invitedBy}</Cell>
            <Cell>
              <Until at={expiresAt} />
            </Cell>
            <Cell>
              <span className="flex justify-end">
                <Button
                  variant="quiet"
                  aria-label={`Withdraw the invitation of ${email}`}
                  onClick={() => withdraw.mutate({ id, email })}
                >
                  Withdraw
                </Button>
              </span>
            </Cell>
          </Row>
        ))}
      </Table>
      {invitations.hasNextPage && (
        <Button className="self-center" onClick={() => void invitations.fetchNextPage()}>
          Load more invitations
        </Button>
      )}
    </section>
  );
}
