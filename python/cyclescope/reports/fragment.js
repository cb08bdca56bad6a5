// Every picture is drawn when it comes into sight.

for (const plot of opened()) sight.observe(plot);
