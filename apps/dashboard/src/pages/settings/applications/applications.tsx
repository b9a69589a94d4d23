import type { ApplicationForm } from '@tributary/contract'
import { useState } from 'react'
import { useCall, useChange } from '~/api/call.ts'
import { useProgram } from '~/app/program-context.ts'
import { Card } from '~/components/card.tsx'
import { Button } from '~/components/controls/button.tsx'
import { Form, FormError } from '~/components/controls/form.tsx'
import { Unsaved } from '~/components/controls/unsaved.tsx'
import { toast } from '~/components/overlays/toast.tsx'
import { Page } from '~/components/page.tsx'
import { Loading, Skeleton } from '~/components/skeleton.tsx'
import { QueryView } from '~/components/states.tsx'
import { ProgramSettingsForm } from '../program/settings-form.tsx'
import { ApprovalSection } from './approval-section.tsx'
import { JoiningSection } from './joining-section.tsx'
import { QuestionsSection } from './questions-section.tsx'
import { fromRules, toRules } from './rules-text.ts'

const FORM = '/api/programs/{programId}/application-form'

export const ApplicationSettings = () => {
  const { program, may } = useProgram()
  const form = useCall(`get ${FORM}`, { programId: program.id })
  const disabled = !may('partner:manage')
  return (
    <Page
      title="Applications"
      description={
        disabled
          ? 'Your role can view these settings but not change them.'
          : 'Who can apply, what you ask applicants, and who is approved automatically.'
      }
    >
      <ProgramSettingsForm fields={['applicationsOpen', 'applicationText']} save="Save application page">
        {(props) => <JoiningSection {...props} />}
      </ProgramSettingsForm>
      <QueryView
        query={form}
        loading={
          <Card className="p-5">
            <Loading>
              <Skeleton className="h-64 w-full" />
            </Loading>
          </Card>
        }
      >
        {(loaded) => <FormEditor key={program.id} form={loaded} disabled={disabled} />}
      </QueryView>
    </Page>
  )
}

const FormEditor = ({ form, disabled }: { form: ApplicationForm; disabled: boolean }) => {
  const { program } = useProgram()
  const save = useChange(`put ${FORM}`, { programId: program.id })
  const [questions, setQuestions] = useState(form.questions)
  const [rules, setRules] = useState(fromRules(form.autoApprove))
  const draft = { questions, autoApprove: toRules(rules) }
  const isChanged =
    JSON.stringify(draft) !== JSON.stringify({ ...form, autoApprove: toRules(fromRules(form.autoApprove)) })
  const submit = () =>
    save.mutate(
      { body: draft },
      {
        onSuccess: (saved) => {
          setQuestions(saved.questions)
          setRules(fromRules(saved.autoApprove))
          toast.done('Questions and approval saved.')
        },
      },
    )
  return (
    <Form onSubmit={submit} className="flex flex-col gap-5">
      <QuestionsSection questions={questions} onChange={setQuestions} error={save.error} disabled={disabled} />
      <ApprovalSection rules={rules} onChange={setRules} disabled={disabled} />
      <FormError error={save.error} />
      {!disabled && (
        <div className="flex justify-end">
          <Button type="submit" look="primary" busy={save.isPending}>
            Save questions and approval
          </Button>
        </div>
      )}
      <Unsaved when={isChanged} />
    </Form>
  )
}
