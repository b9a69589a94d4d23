import { keepPreviousData } from '@tanstack/react-query'
import type { Member } from '@tributary/contract'
import { Plus, UsersRound } from 'lucide-react'
import { useState } from 'react'
import { useCall } from '~/api/call.ts'
import { type ListSearch, useListSearch } from '~/app/list-search.ts'
import { useProgram } from '~/app/program-context.ts'
import { Badge } from '~/components/badge.tsx'
import { Button } from '~/components/controls/button.tsx'
import { formatDate } from '~/components/format/format.ts'
import type { Column } from '~/components/lists/data-table.tsx'
import { ListCard } from '~/components/lists/list-card.tsx'
import type { PhoneRow } from '~/components/lists/phone-rows.tsx'
import { Page } from '~/components/page.tsx'
import { EmptyState, NoMatches } from '~/components/states.tsx'
import { Invitations } from './invitations.tsx'
import { InviteMember } from './invite-member.tsx'
import { MemberActions } from './member-actions.tsx'
import { ROLE_TEXT } from './role-text.ts'
import { TeamFilters } from './team-filters.tsx'

const PAGE_SIZE = 25

type Filter = 'search' | 'role' | 'invitationsPage' | 'invitationsSort'
export type TeamSearch = ListSearch & { [name in Filter]?: string | undefined }

const columnsFor = (userId: string): Column<Member>[] => [
  { header: 'Member', cell: (member) => <Name member={member} isSelf={member.userId === userId} />, sort: 'name' },
  {
    header: 'Role',
    cell: ({ role }) => (
      <span className="block">
        <span className="block">{ROLE_TEXT[role].label}</span>
        <span className="hidden text-faint text-xs sm:block">{ROLE_TEXT[role].summary}</span>
      </span>
    ),
    sort: 'role',
  },
  { header: 'Joined', cell: ({ createdAt }) => formatDate(createdAt), align: 'right', sort: 'createdAt' },
]

const ON_PHONE: PhoneRow<Member> = {
  name: ({ name }) => name,
  amount: ({ role }) => <span className="font-normal">{ROLE_TEXT[role].label}</span>,
  status: ({ email }) => <span className="truncate">{email}</span>,
  date: ({ createdAt }) => formatDate(createdAt),
}

export const Team = () => {
  const { user, workspace, may } = useProgram()
  const { search, setPage, setFilter, sortingFrom, clear } = useListSearch<TeamSearch>()
  const { invitationsPage: _, invitationsSort: __, ...query } = search
  const members = useCall(
    'get /api/workspaces/{workspaceId}/members',
    { workspaceId: workspace.id, query: { ...query, pageSize: PAGE_SIZE } },
    { placeholderData: keepPreviousData },
  )
  const [isInviting, setInviting] = useState(false)
  const mayManage = may('member:manage')
  const invite = mayManage && (
    <Button look="primary" onClick={() => setInviting(true)}>
      <Plus aria-hidden /> Invite member
    </Button>
  )
  return (
    <Page
      title="Team"
      description={`Members of ${workspace.name}. They have access to all its programs.`}
      actions={invite}
    >
      <ListCard
        label="Members"
        noun="members"
        query={members}
        columns={columnsFor(user.id)}
        phone={ON_PHONE}
        keyOf={({ id }) => id}
        onPage={setPage}
        sorting={sortingFrom('createdAt')}
        filters={<TeamFilters search={search} onChange={setFilter} />}
        {...(mayManage && { actions: (member: Member) => <MemberActions member={member} /> })}
        empty={
          <EmptyState icon={<UsersRound />} title="No members yet" action={invite}>
            Invite the people you work with.
          </EmptyState>
        }
        {...((search.search || search.role) && {
          emptyFiltered: <NoMatches icon={<UsersRound />} noun="members" onClear={clear} />,
        })}
      />
      {mayManage && <Invitations search={search} onChange={setFilter} />}
      <InviteMember open={isInviting} onOpenChange={setInviting} />
    </Page>
  )
}

const Name = ({ member: { name, email }, isSelf }: { member: Member; isSelf: boolean }) => (
  <span className="block min-w-0">
    <span className="flex items-center gap-2 font-medium">
      <span className="truncate">{name}</span> {isSelf && <Badge>You</Badge>}
    </span>
    <span className="block truncate font-normal text-faint text-xs">{email}</span>
  </span>
)
