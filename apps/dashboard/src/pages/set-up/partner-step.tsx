import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useChangeProgram } from '~/api/programs.ts'
import { CREATE } from '~/app/create-dialog.ts'
import { useProgram } from '~/app/program-context.ts'
import { Button, buttonClass } from '~/components/controls/button.tsx'
import { Form, FormError, formText } from '~/components/controls/form.tsx'
import { formatList } from '~/components/format/format.ts'
import { AddPartner } from '../partners/add/add-partner.tsx'
import { parseWebsites, WebsiteField } from '../settings/program/websites.tsx'
import { type Frame, StepAction, StepCard } from './step-card.tsx'
import type { Steps } from './steps.ts'

type Props = { steps: Steps; frame: Frame }

/** The website, a partner and a link: whichever is missing first. */
export const PartnerStep = ({ steps, frame }: Props) => {
  const { program } = useProgram()
  const [isAdding, setAdding] = useState(false)
  const summary = frame.isComplete
    ? `At least one approved partner has a link to ${formatList(program.websites)}.`
    : 'A person or company that refers customers to you, and the link they share.'
  return (
    <>
      <StepCard frame={frame} summary={summary}>
        <Missing steps={steps} onAdd={() => setAdding(true)} />
      </StepCard>
      {/* Outside the card: it also shows the link once that has completed the step. */}
      <AddPartner open={isAdding} onOpenChange={setAdding} />
    </>
  )
}

const Missing = ({ steps: { website, partner, link }, onAdd }: { steps: Steps; onAdd: () => void }) => {
  const { may } = useProgram()
  if (!website.done) return <Website />
  if (partner.total === 0)
    return (
      <StepAction
        action={
          may('partner:manage') && (
            <Button look="primary" onClick={onAdd}>
              Add partner
            </Button>
          )
        }
      >
        A name is enough. You get a link for them to share; leads and sales that come through it are credited to them.
      </StepAction>
    )
  if (!partner.done)
    return (
      <StepAction action={<PageLink to="partners/applications" label="Review applications" isPrimary />}>
        None of your partners is approved. Approve one so they can earn.
      </StepAction>
    )
  if (!link.done)
    return (
      <StepAction action={may('partner:manage') && <PageLink to="links" label="Create link" isPrimary creates />}>
        No approved partner has an active link.
      </StepAction>
    )
  return (
    <StepAction action={<PageLink to="partners" label="View partners" />}>
      Add more partners whenever you like. Each gets a link of their own.
    </StepAction>
  )
}

type PageLinkProps = {
  to: 'partners' | 'partners/applications' | 'links'
  label: string
  isPrimary?: boolean
  /** Opens the page's dialog for creating something. */
  creates?: boolean
}

const PageLink = ({ to, label, isPrimary = false, creates = false }: PageLinkProps) => {
  const { program } = useProgram()
  return (
    <Link
      to={`/programs/$programId/${to}`}
      params={{ programId: String(program.id) }}
      {...(creates && { state: CREATE })}
      className={buttonClass({ look: isPrimary ? 'primary' : 'secondary' })}
    >
      {label}
    </Link>
  )
}

const Website = () => {
  const { program, may } = useProgram()
  const change = useChangeProgram(program.id)
  if (!may('program:update'))
    return <p className="text-soft text-sm">Links need a website to point to. Ask an owner or admin to add it.</p>
  return (
    <Form
      onSubmit={(values) => change.mutate({ websites: parseWebsites(formText(values, 'websites')) })}
      className="flex max-w-md flex-col gap-4"
    >
      <WebsiteField error={change.error} />
      <FormError error={change.error} fields={['websites', 'websites.0']} />
      <Button type="submit" look="primary" busy={change.isPending} className="self-start">
        Save website
      </Button>
    </Form>
  )
}
