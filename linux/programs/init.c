/* SPDX-License-Identifier: MIT OR Apache-2.0
 *
 * The first process: mounts /proc and /dev, loads the modules that /etc/modules lists, runs /etc/rc
 * if it is there, and keeps a shell on the console.
 */
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static void use_console(void) {
    int console = open("/dev/console", O_RDWR);
    for (int i = 0; i < 3 && console >= 0; i++) {
        dup2(console, i);
    }
    if (console > 2) {
        close(console);
    }
}

static void load_module(const char *path) {
    int file = open(path, O_RDONLY | O_CLOEXEC);
    if (file < 0 || syscall(SYS_finit_module, file, "", 0) != 0) {
        perror(path);
    }
    if (file >= 0) {
        close(file);
    }
}

static void load_modules(void) {
    char path[128];
    FILE *list = fopen("/etc/modules", "re");
    while (list != NULL && fgets(path, sizeof path, list) != NULL) {
        path[strcspn(path, "\n")] = '\0';
        if (path[0] != '\0') {
            load_module(path);
        }
    }
    if (list != NULL) {
        fclose(list);
    }
}

/* Runs a shell to its end. Without a script it reads the console, as leader of a session. */
static void run_shell(const char *script) {
    pid_t shell = vfork();
    if (shell == 0) {
        setsid();
        ioctl(0, TIOCSCTTY, 1);
        execl("/bin/sh", script != NULL ? "sh" : "-sh", script, (char *)NULL);
        _exit(127);
    }
    int status = 0;
    while (shell > 0 && waitpid(shell, &status, 0) != shell) {
    }
    if (shell < 0 || (WIFEXITED(status) && WEXITSTATUS(status) == 127)) {
        puts("init: /bin/sh does not run");
        pause();
    }
}

int main(void) {
    mkdir("/proc", 0555);
    mkdir("/dev", 0755);
    mkdir("/tmp", 01777);
    mount("proc", "/proc", "proc", 0, NULL);
    mount("dev", "/dev", "devtmpfs", 0, NULL);
    use_console();
    load_modules();
    if (access("/etc/rc", R_OK) == 0) {
        run_shell("/etc/rc");
    }
    for (;;) {
        run_shell(NULL);
    }
}
