import { Link } from '@tanstack/react-router'
import type { PartnerDetail } from '@tributary/contract'
import type { PromotionCode } from '@tributary/contract/programs/codes'
import { Plus } from 'lucide-react'
import { useState } from 'react'
import { useCall } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { StateChip } from '~/components/badge.tsx'
import { Card, CardHeader } from '~/components/card.tsx'
import { Button } from '~/components/controls/button.tsx'
import { CopyButton } from '~/components/copy.tsx'
import { Amounts } from '~/components/format/amounts.tsx'
import { formatCount } from '~/components/format/format.ts'
import { SkeletonRows } from '~/components/skeleton.tsx'
import { EmptyLine, QueryView } from '~/components/states.tsx'
import { AddCode } from '~/pages/codes/add-code.tsx'
import { codeState } from '~/pages/codes/code-state.ts'
import { CARD_LINK } from './card-link.ts'

const SHOWN = 6

export const PartnerCodes = ({ partner: { id: partnerId } }: { partner: PartnerDetail }) => {
  const { program, may } = useProgram()
  const [isAdding, setAdding] = useState(false)
  const query = { partnerId, sort: '-uses', pageSize: SHOWN }
  const codes = useCall('get /api/programs/{programId}/codes', { programId: program.id, query })
  const add = may('partner:manage') && (
    <Button size="small" onClick={() => setAdding(true)}>
      <Plus aria-hidden /> Add code
    </Button>
  )
  const isEmpty = codes.data?.data.length === 0
  return (
    <Card>
      <CardHeader
        title="Promotion codes"
        description="Sales with these codes are credited to the partner."
        actions={codes.data && !isEmpty && add}
      />
      <QueryView
        query={codes}
        loading={<SkeletonRows rows={2} />}
        isEmpty={({ data }) => data.length === 0}
        empty={
          <EmptyLine title="No codes yet" action={add}>
            Add a code for places without a link, such as a podcast or video.
          </EmptyLine>
        }
      >
        {({ data }) => (
          <>
            <ul className="flex flex-col divide-y divide-line px-5 pt-2">
              {data.map((code) => (
                <CodeLine key={code.id} code={code} currency={program.currency} />
              ))}
            </ul>
            <Link
              to="/programs/$programId/links/codes"
              params={{ programId: String(program.id) }}
              search={{ partnerId: String(partnerId) }}
              className={CARD_LINK}
            >
              View all codes
            </Link>
          </>
        )}
      </QueryView>
      <AddCode partnerId={partnerId} open={isAdding} onOpenChange={setAdding} />
    </Card>
  )
}

const CodeLine = ({ code, currency }: { code: PromotionCode; currency: string }) => (
  <li className="flex min-h-12 flex-wrap items-center justify-end gap-x-3 gap-y-1 py-2 text-sm">
    <span className="min-w-0 flex-1 basis-48">
      <code className="wrap-anywhere block font-medium font-mono">{code.code}</code>
      <span className="flex gap-1 text-faint text-xs tabular-nums">
        {formatCount(code.uses, 'use')} · <Amounts of={code.revenue} currency={currency} /> revenue
      </span>
    </span>
    <StateChip state={codeState(code)} />
    <CopyButton text={code.code} label={`Copy ${code.code}`} iconOnly />
  </li>
)
