import { useProgram } from '~/app/program-context.ts'
import { RewardWarning } from '../settings/rewards/no-reward-notice.tsx'

/** For a credited sale from before the program had a reward. */
export const NoTermsNotice = () => {
  const { program } = useProgram()
  const isFirst = program.reward.version === null
  return (
    <RewardWarning action={isFirst ? 'Set a reward' : 'View reward'}>
      {isFirst
        ? 'This sale earned no commission because the program has no reward. When you set one, you can apply it to past sales.'
        : 'This sale earned no commission because the program had no reward at the time.'}
    </RewardWarning>
  )
}
