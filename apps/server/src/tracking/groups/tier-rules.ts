import type { TierRule } from '@tributary/contract'
import { Refusal } from '../../refusal.ts'

type Ruled = { id: number; name: string; tierRule: TierRule | null }

/** Tier rules must lead to a group of the program, and never back to where they started. `id` is null for a new group. */
export const checkTierRule = (groups: Ruled[], { id, rule }: { id: number | null; rule: TierRule | null }) => {
  if (!rule) return
  const byId = new Map(groups.map((group) => [group.id, group]))
  if (!byId.has(rule.moveTo))
    throw new Refusal('invalid_request', 'tierRule.moveTo must be the ID of a group of this program.', {
      field: 'tierRule.moveTo',
    })
  for (let next: number | undefined = rule.moveTo; next !== undefined; next = byId.get(next)?.tierRule?.moveTo)
    if (next === id)
      throw new Refusal(
        'conflict',
        'tierRule.moveTo would lead partners back to this group. Choose a group whose own tier rule does not lead here.',
        { field: 'tierRule.moveTo' },
      )
}
