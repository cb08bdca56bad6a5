// The page of real-time figures: every picture is drawn when it comes into sight.

for (const plot of document.querySelectorAll(".plot")) sight.observe(plot);
