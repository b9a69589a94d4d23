import { Link } from '@tanstack/react-router'
import type { Group } from '@tributary/contract'
import { Layers, Plus } from 'lucide-react'
import { useState } from 'react'
import { useGroups } from '~/api/partners/groups.ts'
import { useProgram } from '~/app/program-context.ts'
import { Badge } from '~/components/badge.tsx'
import { Button } from '~/components/controls/button.tsx'
import { formatCount, formatMoney, formatNumber } from '~/components/format/format.ts'
import type { Column } from '~/components/lists/data-table.tsx'
import { ListCard } from '~/components/lists/list-card.tsx'
import type { PhoneRow } from '~/components/lists/phone-rows.tsx'
import { Page } from '~/components/page.tsx'
import { EmptyState } from '~/components/states.tsx'
import { describeReward } from '../settings/rewards/reward-text.ts'
import { GroupActions } from './group-actions.tsx'
import { GroupFacts } from './group-facts.tsx'
import { GroupDrawer } from './group-form.tsx'
import { GroupTerms } from './group-terms.tsx'
import { describeTier } from './tier-text.ts'

/** What is open: the form of a new or existing group, a group's reward terms, or its facts. */
export type Opened = { view: 'create' } | { view: 'edit' | 'terms' | 'facts'; group: Group } | null

export const Groups = () => {
  const { program, may } = useProgram()
  const groups = useGroups(program.id)
  const [opened, setOpened] = useState<Opened>(null)
  const all = groups.data?.data ?? []
  const mayManage = may('payout:manage')
  const create = mayManage && (
    <Button look="primary" onClick={() => setOpened({ view: 'create' })}>
      <Plus aria-hidden /> Create group
    </Button>
  )
  const close = () => setOpened(null)
  return (
    <Page
      title="Groups"
      description="Pay groups of partners differently, and move partners up automatically when they bring more sales."
      actions={create}
    >
      <ListCard
        label="Groups"
        noun="groups"
        query={groups}
        columns={columnsFor(all)}
        phone={ON_PHONE}
        keyOf={({ id }) => id}
        onPage={() => {}}
        onOpen={(group) => setOpened({ view: mayManage ? 'edit' : 'facts', group })}
        {...(mayManage && { actions: (group: Group) => <GroupActions group={group} onOpen={setOpened} /> })}
        empty={
          <EmptyState icon={<Layers />} title="No groups yet" action={create}>
            Create a group to give several partners the same reward terms.
          </EmptyState>
        }
      />
      <GroupDrawer
        group={opened?.view === 'edit' ? opened.group : null}
        groups={all}
        open={opened?.view === 'create' || opened?.view === 'edit'}
        onClose={close}
        onCreated={(group) => setOpened({ view: 'terms', group })}
      />
      <GroupTerms group={opened?.view === 'terms' ? opened.group : null} onClose={close} />
      <GroupFacts group={opened?.view === 'facts' ? opened.group : null} groups={all} onClose={close} />
    </Page>
  )
}

const columnsFor = (groups: Group[]): Column<Group>[] => [
  { header: 'Group', cell: (group) => <Name group={group} /> },
  { header: 'Reward', cell: ({ reward, isDefault }) => <Reward reward={reward} isDefault={isDefault} /> },
  { header: 'Hold period', cell: ({ reward }) => formatCount(reward.holdDays, 'day'), hideOnPhone: true },
  {
    header: 'Minimum payout',
    cell: ({ reward }) => formatMoney(reward.minimumPayoutCents, reward.currency),
    hideOnPhone: true,
  },
  { header: 'Tier rule', cell: ({ tierRule }) => (tierRule ? describeTier(tierRule, groups) : '–') },
  { header: 'Partners', cell: (group) => <Partners group={group} />, align: 'right' },
]

const ON_PHONE: PhoneRow<Group> = {
  name: (group) => <Name group={group} />,
  amount: ({ partners }) => partners > 0 && <span className="font-normal">{formatCount(partners, 'partner')}</span>,
  status: ({ reward }) => <span className="truncate">{describeReward(reward)}</span>,
}

const Name = ({ group: { name, isDefault } }: { group: Group }) => (
  <span className="flex flex-wrap items-center gap-1.5 font-medium">
    <span className="wrap-anywhere">{name}</span> {isDefault && <Badge tone="neutral">For new partners</Badge>}
  </span>
)

const Reward = ({ reward, isDefault }: Pick<Group, 'reward' | 'isDefault'>) => (
  <span className="block">
    {describeReward(reward)}
    {!isDefault && !reward.own && <span className="block text-faint text-xs">The program’s reward terms</span>}
  </span>
)

/** Lies above the link that covers the row. */
const Partners = ({ group: { id, name, partners } }: { group: Group }) => {
  const { program, may } = useProgram()
  if (partners === 0 || !may('tracking:read')) return formatNumber(partners)
  return (
    <Link
      to="/programs/$programId/partners"
      params={{ programId: String(program.id) }}
      search={{ groupId: String(id) }}
      aria-label={`${formatCount(partners, 'partner')} in ${name}`}
      className="relative z-10 text-accent-ink hover:underline"
    >
      {formatNumber(partners)}
    </Link>
  )
}
