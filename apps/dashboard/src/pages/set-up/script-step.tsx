import type { SetUp } from '@tributary/contract'
import { useProgram } from '~/app/program-context.ts'
import { CodeBlock } from '~/components/code-block.tsx'
import { instance } from '~/instance.ts'
import { OwnSiteTest } from './own-site-test.tsx'
import { Received } from './received.tsx'
import { ServiceCheck } from './service-check.tsx'
import { trackerSnippets } from './snippets.ts'
import { StepCard } from './step-card.tsx'
import { Code, Troubleshooting } from './troubleshooting.tsx'

type Props = { step: SetUp['steps']['script']; number: number }

/** Complete once a page of the merchant's has sent a click, real or test. */
export const ScriptStep = ({ step, number }: Props) => {
  const { program } = useProgram()
  const place = { baseUrl: instance.baseUrl, programId: program.id }
  return (
    <StepCard
      number={number}
      title="Install the script"
      summary="A script on your pages records visitors who come through a referral link."
      isComplete={step.done}
    >
      <CodeBlock label="Script tag" snippets={trackerSnippets(place)} />
      <OwnSiteTest />
      <Received noun="click" received={step.received}>
        <Troubleshooting
          checks={[
            <>
              The page’s address must carry <Code>?aff=…</Code>. A redirect that drops the query drops the referral too.
            </>,
            <>
              The browser’s network tab must show a call to <Code>{instance.baseUrl}</Code>. If it does not, a
              Content-Security-Policy or an ad blocker may hold the script back.
            </>,
            <>
              An https page may only call an https service: <Code>BASE_URL</Code> must be reachable from your visitors.
            </>,
          ]}
        />
        <ServiceCheck kind="click" checkedAt={step.checkedAt} />
      </Received>
    </StepCard>
  )
}
