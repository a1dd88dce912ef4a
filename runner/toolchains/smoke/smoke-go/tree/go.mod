module example.org/smoke

go 1.24
