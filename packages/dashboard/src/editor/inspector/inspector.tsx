/*
 * The region beside the outline: the fields of the chosen step.
 *
 *   inspector.tsx            the fields that every step has, its ways on, and those of its kind
 *   tool-call-fields.tsx     Tool Call: argument-fields.tsx, argument-field.tsx, guard-fields.tsx, sum-limit-fields.tsx
 *   condition-fields.tsx     Condition
 *   other-fields.tsx         Human Review and End, and the procedure itself with budget-fields.tsx
 *   expression-field.tsx     an expression, its completion and its reading
 *   decider-fields.tsx       who decides, wherever people are asked
 *   bound-fields.tsx         fields bound to a place of the step; json-field.tsx, name-field.tsx, number-field.tsx
 *   step-context.ts          the step as its fields know it
 */
import type { ConditionNode, EndNode, HumanReviewNode, ToolCallNode } from "@procedo/contract";
import { Link2 } from "lucide-react";
import type { ReactElement, RefObject } from "react";
import { kindWord } from "../../flowchart/node-kinds.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import { Alert } from "../../ui/problem.tsx";
import { whyNotId } from "../document/node-ids.ts";
import { targetOf, waysOf, type Place } from "../document/ways.ts";
import type { FieldMessages } from "../problems/shown-problems.ts";
import { stepTitle } from "../../flowchart/step-title.ts";
import { stepNames, wayWord } from "../views/place-words.ts";
import { stepPlace } from "../typing/typed-texts.ts";
import { BoundText, FieldPlace } from "./bound-fields.tsx";
import { ConditionFields } from "./condition-fields.tsx";
import { NameField } from "./name-field.tsx";
import { EndFields, HumanReviewFields, ProcedureFields } from "./other-fields.tsx";
import type { StepContext } from "./step-context.ts";
import { ToolCallFields } from "./tool-call-fields.tsx";

interface InspectorProps {
  readonly step: StepContext;
  /** Messages about the step as a whole. */
  readonly ownMessages: FieldMessages;
  /** The messages at a member of the document. */
  readonly documentMessagesAt: (pointer: string) => FieldMessages;
  readonly onRename: (to: string) => void;
  readonly onConnect: (from: Place) => void;
  readonly place: RefObject<HTMLElement | null>;
}

export function Inspector({
  step,
  ownMessages,
  documentMessagesAt,
  onRename,
  onConnect,
  place,
}: InspectorProps): ReactElement {
  const { document, node } = step;
  return (
    <section
      ref={place}
      aria-label="Inspector"
      className="flex min-w-0 flex-col gap-3 rounded-panel border border-hairline bg-surface p-4"
    >
      <h2 className="text-section font-semibold wrap-anywhere">
        <span className="block text-small font-normal text-text-3">{kindWord(node.kind)}</span>
        <span className={cx(stepTitle(node) === node.id && "inline-block first-letter:uppercase")}>
          {stepTitle(node)}
        </span>
      </h2>
      {(ownMessages.problem ?? ownMessages.warning) !== undefined && (
        <FieldPlace pointer="">
          {ownMessages.problem !== undefined && (
            <Alert>
              <span className="whitespace-pre-line">{ownMessages.problem}</span>
            </Alert>
          )}
          {ownMessages.warning !== undefined && (
            <Alert tone="review">
              <span className="whitespace-pre-line">{ownMessages.warning}</span>
            </Alert>
          )}
        </FieldPlace>
      )}
      <BoundText
        step={step}
        path={["title"]}
        label="Title"
        maxLength={500}
        isRequired={node.kind === "human_review"}
        {...(node.kind === "human_review" && {
          hint: "The question to the reviewers. Expressions in {{ }} take part in it.",
        })}
      />
      <FieldPlace pointer="/id">
        <NameField
          place={stepPlace(node.id, ["id"])}
          label="Id"
          hint={`Expressions read the step as nodes.${node.id}.`}
          name={node.id}
          whyNot={(to) => whyNotId(document, node.id, to)}
          onRename={onRename}
          {...step.messagesAt("/id")}
        />
      </FieldPlace>
      {node.kind === "tool_call" && <ToolCallFields step={step as StepContext<ToolCallNode>} />}
      {node.kind === "condition" && <ConditionFields step={step as StepContext<ConditionNode>} />}
      {node.kind === "human_review" && <HumanReviewFields step={step as StepContext<HumanReviewNode>} />}
      {node.kind === "end" && <EndFields step={step as StepContext<EndNode>} />}
      <Ways step={step} onConnect={onConnect} />
      {node.kind === "start" && (
        <ProcedureFields document={document} edit={step.edit} endAct={step.endAct} messagesAt={documentMessagesAt} />
      )}
    </section>
  );
}

/** Where the ways out of the step lead. */
function Ways({ step, onConnect }: Pick<InspectorProps, "step" | "onConnect">): ReactElement | null {
  const { document, node } = step;
  const names = stepNames(document);
  const ways = waysOf(node);
  if (ways.length === 0) return null;
  return (
    <section aria-label="Ways on" className="flex flex-col gap-1 border-t border-hairline pt-3">
      <h3 className="font-medium text-text-2">Ways on</h3>
      <dl className="flex flex-col gap-0.5">
        {ways.map(({ branch, isRequired }) => {
          const target = targetOf(document, { nodeId: node.id, branch });
          const label = node.kind === "condition" ? (branch ?? "") : wayWord(branch);
          return (
            <div key={branch ?? ""} className="flex items-center gap-2">
              <dt className="w-32 shrink-0 wrap-anywhere text-text-2">{label}</dt>
              <dd className="min-w-0 flex-1 wrap-anywhere">
                {target === undefined ? (
                  <span className={isRequired ? "font-medium text-failed" : "text-text-3"}>
                    {isRequired ? "Leads nowhere" : "Not used"}
                  </span>
                ) : (
                  (names.get(target) ?? target)
                )}
              </dd>
              <dd>
                <Button
                  variant="quiet"
                  icon={Link2}
                  aria-label={`Change where ${label} leads`}
                  onClick={() => onConnect({ nodeId: node.id, branch })}
                >
                  Change
                </Button>
              </dd>
            </div>
          );
        })}
      </dl>
    </section>
  );
}
