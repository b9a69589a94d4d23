import type { SetUp } from '@tributary/contract'
import { useProgram } from '~/app/program-context.ts'
import { CodeBlock } from '~/components/code-block.tsx'
import { instance } from '~/instance.ts'
import { Arrival, Received } from './received.tsx'
import { ServiceCheck } from './service-check.tsx'
import { SiteTest } from './site-test.tsx'
import { trackerSnippets } from './snippets.ts'
import { type Frame, StepCard } from './step-card.tsx'
import { Code, Troubleshooting } from './troubleshooting.tsx'

type Props = { step: SetUp['steps']['script']; frame: Frame }

/** Completes when one of the merchant's pages sends a click, real or test. */
export const ScriptStep = ({ step, frame }: Props) => {
  const { program } = useProgram()
  const { respectGlobalPrivacyControl } = program
  const tag = { baseUrl: instance.baseUrl, programId: program.id, respectGlobalPrivacyControl }
  return (
    <StepCard
      frame={frame}
      summary={
        step.received ? (
          <Arrival noun="click" received={step.received} />
        ) : (
          'Records visitors who arrive through a referral link.'
        )
      }
    >
      <CodeBlock label="Script tag" snippets={trackerSnippets(tag)} />
      <SiteTest />
      <Received noun="click" received={step.received}>
        <Troubleshooting
          checks={[
            <>
              The page URL must contain <Code>?aff=…</Code>. A redirect that drops the query string drops the referral.
            </>,
            <>
              The browser’s network tab must show a request to <Code>{instance.baseUrl}</Code>. If it doesn’t, check for
              a Content-Security-Policy or an ad blocker.
            </>,
            <>
              HTTPS pages can only call an HTTPS service. <Code>BASE_URL</Code> must be reachable by your visitors.
            </>,
          ]}
        >
          <ServiceCheck kind="click" checkedAt={step.checkedAt} />
        </Troubleshooting>
      </Received>
    </StepCard>
  )
}
