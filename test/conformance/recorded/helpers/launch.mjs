const KLOG = /^[IWEF]\d{4} [\d:.]+ +\d+ [^\]]+\] /;

/**
 * A step that starts one more server with flags and files. Recorded: whether it came up, and its last words, which are
 * compared as wording.
 */
export const launch = (name, flags, files = {}) => ({
  name,
  timeoutMs: 90_000,
  run: async (ctx) => {
    const { outcome, exitCode, output } = await ctx.tryLaunch({ flags, files, timeoutMs: 60_000 });
    if (outcome !== 'exited') return { outcome };
    const said = output.map((line) => line.replace(KLOG, ''));
    const errors = said.filter((line) => /^(Error|error):|\berr(or)?=/.test(line));
    const message = (errors.length > 0 ? errors : said).join('\n').slice(0, 1000);
    return { outcome, failed: exitCode !== 0, said: { kind: 'Status', message } };
  },
});
