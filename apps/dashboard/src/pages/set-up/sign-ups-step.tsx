import { Link } from '@tanstack/react-router'
import type { SetUp } from '@tributary/contract'
import { KeyRound } from 'lucide-react'
import { useProgram } from '~/app/program-context.ts'
import { CodeBlock } from '~/components/code-block.tsx'
import { buttonClass } from '~/components/controls/button.tsx'
import { Ago } from '~/components/format/time.tsx'
import { instance } from '~/instance.ts'
import { Received } from './received.tsx'
import { ServiceCheck } from './service-check.tsx'
import { leadSnippets } from './snippets.ts'
import { StepCard } from './step-card.tsx'
import { Code, Troubleshooting } from './troubleshooting.tsx'

type Props = { step: SetUp['steps']['signUps']; number: number }

/** Complete once the merchant's server has sent a lead with an API key, real or test. */
export const SignUpsStep = ({ step, number }: Props) => {
  const { program, may } = useProgram()
  const place = { baseUrl: instance.baseUrl, programId: program.id }
  return (
    <StepCard
      number={number}
      title="Track sign-ups"
      summary="Your server reports each sign-up, with the click ID that the script left in a cookie."
      isComplete={step.done}
    >
      {may('key:manage') && (
        <div className="flex flex-wrap items-center justify-between gap-3 text-sm">
          <p className="text-soft">The call needs an API key of this program.</p>
          <Link
            to="/programs/$programId/settings/api-keys"
            params={{ programId: String(program.id) }}
            className={buttonClass({ size: 'small' })}
          >
            <KeyRound aria-hidden /> API keys
          </Link>
        </div>
      )}
      <CodeBlock label="Lead call" snippets={leadSnippets(place)} />
      <Received noun="sign-up" received={step.received}>
        {!step.done && step.provisionalAt && (
          <p className="text-pretty text-sm text-warn-ink">
            A sign-up arrived without an API key <Ago at={step.provisionalAt} />. It is provisional and does not count:
            send it from your server with a key.
          </p>
        )}
        <Troubleshooting
          checks={[
            <>
              401 <Code>invalid_api_key</Code>: the key was revoked, or a line break came along when it was copied.
            </>,
            <>
              400 <Code>click_not_found</Code>: pass the cookie <Code>service_click_id</Code> on unchanged, from the
              visitor’s own request.
            </>,
            <>
              400 <Code>customer_unknown</Code>: no click ID was sent. Your API may live on another domain than the
              page, where the cookie does not reach; send its value along.
            </>,
            program.leadAuth === 'server_required' ? (
              <>
                <Code>provisional: true</Code> in the answer: the call came without a key, as from a browser. It counts
                once your server sends it.
              </>
            ) : (
              <>This program also accepts sign-ups from the browser, without a key.</>
            ),
          ]}
        />
        <ServiceCheck kind="lead" checkedAt={step.checkedAt} />
      </Received>
    </StepCard>
  )
}
