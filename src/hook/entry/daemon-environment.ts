/** The only variables that the daemon takes from the environment it is started in. Each call brings the variables that its hook needs. */
export const DAEMON_VARIABLES = /^(PATH|HOME|LANG|TZ|XDG_\w+|SIGNALBOX_(?!APPROVAL$|TASK$)\w+)$/
