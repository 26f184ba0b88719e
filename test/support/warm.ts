/** True if the processes of tests keep conversations warm: not with `WARM_TURNS=1`. */
export const isKeptWarm = Number(process.env['WARM_TURNS'] ?? 10) > 1;
