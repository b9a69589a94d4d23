import { useState } from 'react'
import { Segmented } from '~/components/controls/segmented.tsx'
import { formatCount } from '~/components/format/format.ts'
import { Dialog } from '~/components/overlays/dialog.tsx'
import { AddedPartner } from './added-partner.tsx'
import { AddedPartners } from './added-partners.tsx'
import { PartnerForm } from './partner-form.tsx'
import { PartnersForm } from './partners-form.tsx'
import type { Outcome } from './use-add-partners.ts'

type Props = { open: boolean; onOpenChange: (open: boolean) => void }

/** Adds one partner or several, and then shows their links and invitations. */
export const AddPartner = ({ open, onOpenChange }: Props) => {
  const [outcome, setOutcome] = useState<Outcome | null>(null)
  const change = (next: boolean) => {
    setOutcome(null)
    onOpenChange(next)
  }
  return (
    <Dialog open={open} onOpenChange={change} title={titleOf(outcome)}>
      {outcome ? (
        <Ending outcome={outcome} onAgain={() => setOutcome(null)} onDone={() => change(false)} />
      ) : (
        <Forms onAdded={setOutcome} />
      )}
    </Dialog>
  )
}

const titleOf = (outcome: Outcome | null) => {
  if (!outcome) return 'Add partner'
  const { added, refused } = outcome
  const [only] = added
  return only && added.length + refused.length === 1
    ? `${only.partner.name} added`
    : `${formatCount(added.length, 'partner')} added`
}

const COUNTS = [
  { value: 'one', label: 'One partner' },
  { value: 'several', label: 'Several' },
] as const

const Forms = ({ onAdded }: { onAdded: (outcome: Outcome) => void }) => {
  const [count, setCount] = useState<'one' | 'several'>('one')
  return (
    <>
      <div className="shrink-0">
        <Segmented label="How many" value={count} options={COUNTS} onChange={setCount} />
      </div>
      {count === 'one' ? <PartnerForm onAdded={onAdded} /> : <PartnersForm onAdded={onAdded} />}
    </>
  )
}

type EndingProps = { outcome: Outcome; onAgain: () => void; onDone: () => void }

const Ending = ({ outcome, onAgain, onDone }: EndingProps) => {
  const { added, refused, stopped } = outcome
  const [only] = added
  return only && added.length === 1 && refused.length === 0 && !stopped ? (
    <AddedPartner added={only} onAgain={onAgain} onDone={onDone} />
  ) : (
    <AddedPartners outcome={outcome} onDone={onDone} />
  )
}
