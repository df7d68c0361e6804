/** Whether two values are the same JSON. The order of an object's members has no meaning. */
export function sameJson(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true;
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null) return one === other;
  if (Array.isArray(one) || Array.isArray(other)) {
    if (!Array.isArray(one) || !Array.isArray(other) || one.length !== other.length) return false;
    return one.every((item, index) => sameJson(item, other[index]));
  }
  const [names, others] = [definedNames(one), definedNames(other)];
  if (names.length !== others.length) return false;
  const [members, otherMembers] = [one as Members, other as Members];
  return names.every((name) => Object.hasOwn(otherMembers, name) && sameJson(members[name], otherMembers[name]));
}

type Members = Readonly<Record<string, unknown>>;

/** Members that are `undefined` are not written. */
function definedNames(value: object): readonly string[] {
  return Object.keys(value).filter((name) => (value as Members)[name] !== undefined);
}
