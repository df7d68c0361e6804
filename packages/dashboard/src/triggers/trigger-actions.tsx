import { useMutation, useQueryClient } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { CirclePause, History, KeyRound, Pencil, Play, PlayCircle, Trash2 } from "lucide-react";
import { useState, type ReactElement } from "react";
import { answerOf, api } from "../api/client.ts";
import type { Trigger } from "../api/models.ts";
import { useEnvironment, writeLabel } from "../shell/environment.ts";
import { Button, buttonClass } from "../ui/button.tsx";
import { Menu, MenuButton } from "../ui/menu.tsx";
import { Problem } from "../ui/problem.tsx";
import { useToast } from "../ui/toasts.tsx";
import { CopyAsCurl } from "../values/copy-as-curl.tsx";
import { BackfillDialog } from "./backfill-dialog.tsx";
import { DeleteTriggerDialog } from "./delete-trigger-dialog.tsx";
import { FireDialog } from "./fire-dialog.tsx";
import { PauseDialog } from "./pause-dialog.tsx";
import { RotateDialog } from "./rotate-dialog.tsx";
import type { Rotated } from "./rotated-secret.tsx";
import { useAbilities } from "./use-abilities.ts";

type Asked = "pause" | "fire" | "backfill" | "rotate" | "delete";

/** Everything that a person may do with a trigger. */
export function TriggerActions({
  trigger,
  onRotated,
}: {
  readonly trigger: Trigger;
  readonly onRotated: (rotated: Rotated) => void;
}): ReactElement {
  const environment = useEnvironment();
  const { mayManage, mayRun, mayChange } = useAbilities();
  const [asked, setAsked] = useState<Asked>();
  const close = (): void => setAsked(undefined);
  const resume = useResume(trigger);
  const { id: triggerId, source, state } = trigger;
  const mayBackfill = mayChange && (source.kind === "schedule" || source.kind === "integration");
  const mayRotate = mayManage && source.kind === "webhook";
  return (
    <>
      <CopyAsCurl request={{ path: `/api/v1/triggers/${encodeURIComponent(triggerId)}?environment=${environment}` }} />
      {mayChange && (
        <Link to="/$environment/triggers/$triggerId/edit" params={{ environment, triggerId }} className={buttonClass()}>
          <Pencil aria-hidden size={15} />
          Edit
        </Link>
      )}
      {mayManage && state === "active" && (
        <Button icon={CirclePause} onClick={() => setAsked("pause")}>
          {writeLabel("Pause", environment)}
        </Button>
      )}
      {mayManage && state === "paused" && (
        <Button
          variant="primary"
          icon={PlayCircle}
          busyLabel={resume.isPending ? "Resuming …" : undefined}
          onClick={() => resume.mutate()}
        >
          {writeLabel("Resume", environment)}
        </Button>
      )}
      {mayRun && (
        <Button icon={Play} onClick={() => setAsked("fire")}>
          {writeLabel("Fire now", environment)}
        </Button>
      )}
      {(mayBackfill || mayRotate || mayChange) && (
        <Menu label="More actions" button="More" buttonClassName={buttonClass("quiet")}>
          {mayBackfill && (
            <MenuButton icon={History} onClick={() => setAsked("backfill")}>
              Backfill
            </MenuButton>
          )}
          {mayRotate && (
            <MenuButton icon={KeyRound} onClick={() => setAsked("rotate")}>
              Rotate secret
            </MenuButton>
          )}
          {mayChange && (
            <MenuButton icon={Trash2} onClick={() => setAsked("delete")}>
              Delete
            </MenuButton>
          )}
        </Menu>
      )}
      {resume.error !== null && (
        <div className="w-full">
          <Problem error={resume.error} />
        </div>
      )}
      {asked === "pause" && <PauseDialog trigger={trigger} onClose={close} />}
      {asked === "fire" && <FireDialog trigger={trigger} onClose={close} />}
      {asked === "backfill" && <BackfillDialog trigger={trigger} onClose={close} />}
      {asked === "delete" && <DeleteTriggerDialog trigger={trigger} onClose={close} />}
      {asked === "rotate" && (
        <RotateDialog
          trigger={trigger}
          onClose={close}
          onRotated={(rotated) => {
            close();
            onRotated(rotated);
          }}
        />
      )}
    </>
  );
}

function useResume({ id: triggerId, name }: Trigger) {
  const environment = useEnvironment();
  const queryClient = useQueryClient();
  const showToast = useToast();
  return useMutation({
    mutationFn: () =>
      answerOf(
        api.POST("/api/v1/triggers/{triggerId}/resume", {
          params: { path: { triggerId }, query: { environment } },
          body: {},
        }),
      ),
    onSuccess: async () => {
      await queryClient.invalidateQueries({ queryKey: ["trigger", environment] });
      showToast(`${name} starts runs again.`);
    },
  });
}
